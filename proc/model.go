package proc

import (
	"path"
	"strings"

	"github.com/oomdoc/oomdoc"
)

// deletedMark stands behind the path of a file that has no name any more
// (proc_pid_maps(5)).
const deletedMark = " (deleted)"

// A modelForm is the end of the names of files with weights.
type modelForm struct {
	end   string
	least int64 // bytes: smaller files of that name are something else
}

// modelForms: what ends in .bin, .pt or .onnx is often no model, and then small.
func modelForms() []modelForm {
	const some = 8 << 20
	return []modelForm{
		{".gguf", 0}, {".ggml", 0}, {".safetensors", 0},
		{".bin", some}, {".pt", some}, {".pth", some}, {".ckpt", some}, {".onnx", some}, {".engine", some},
	}
}

const (
	ollamaBlob = "/blobs/sha256-"
	hubFolder  = "/models--"
)

// isModel tells the path of a file that may have weights in it.
func isModel(forms []modelForm, path []byte) bool {
	_, is := modelLeast(forms, string(path))
	return is
}

// modelLeast is how large a file of that path must be to be one of weights.
func modelLeast(forms []modelForm, path string) (int64, bool) {
	path = strings.TrimSuffix(path, deletedMark)
	for _, form := range forms {
		if strings.HasSuffix(path, form.end) {
			return form.least, true
		}
	}
	if at := strings.LastIndex(path, ollamaBlob); at >= 0 && isHex(path[at+len(ollamaBlob):], 64) {
		return smallBlob, true
	}
	return smallBlob, hubOf(path) != "" && strings.Contains(path, "/blobs/")
}

// smallBlob, in bytes: a blob below it is a licence, a template, a tokenizer.
const smallBlob = 8 << 20

// hubOf gives "org/name" of a path in Hugging Face's cache
// (huggingface_hub: file_download.py, repo_folder_name): each slash of the name
// stands as two dashes there.
func hubOf(file string) string {
	at := strings.LastIndex(file, hubFolder)
	if at < 0 {
		return ""
	}
	folder, _, inside := strings.Cut(file[at+len(hubFolder):], "/")
	if !inside || folder == "" {
		return ""
	}
	return strings.ReplaceAll(folder, "--", "/")
}

// modelName is what people call the model of a file, as far as the path tells it.
func modelName(file string) string {
	file = strings.TrimSuffix(file, deletedMark)
	base := path.Base(file)
	if hub := hubOf(file); hub != "" {
		if isWhole(base) {
			return hub + "/" + withoutPiece(base)
		}
		return hub
	}
	if digest, is := strings.CutPrefix(base, "sha256-"); is && isHex(digest, 64) {
		return "sha256-" + digest[:12]
	}
	for _, root := range lmstudioRoots() {
		if _, inside, has := strings.Cut(file, root); has && strings.Count(inside, "/") >= 2 {
			parts := strings.SplitN(inside, "/", 3)
			return parts[0] + "/" + parts[1] + "/" + withoutPiece(path.Base(parts[2]))
		}
	}
	if isWhole(base) || !isGeneric(base) {
		return withoutPiece(base)
	}
	folder := path.Dir(file)
	for isComponent(path.Base(folder)) {
		folder = path.Dir(folder)
	}
	if name := path.Base(folder); name != "/" && name != "." {
		return name
	}
	return base
}

// lmstudioRoots are where LM Studio keeps models, publisher/repository/file
// (lmstudio: docs, "Import models"; the second until 0.3.6).
func lmstudioRoots() []string { return []string{"/.lmstudio/models/", "/.cache/lm-studio/models/"} }

// isWhole tells a file that has all of a model in it, so that its own name tells
// the model.
func isWhole(base string) bool {
	return strings.HasSuffix(base, ".gguf") || strings.HasSuffix(base, ".ggml")
}

// isGeneric tells the names that files of every model have (transformers:
// utils/__init__.py, WEIGHTS_NAME and its like; diffusers; Meta's consolidated).
func isGeneric(base string) bool {
	for _, begin := range []string{"model", "pytorch_model", "diffusion_pytorch_model", "adapter_model", "consolidated", "tf_model", "flax_model", "optimizer", "output", "rank"} {
		if rest, is := strings.CutPrefix(base, begin); is && (rest == "" || strings.IndexByte(".-_0123456789", rest[0]) >= 0) {
			return true
		}
	}
	return false
}

// isComponent tells a folder within a pipeline's (diffusers: model_index.json).
func isComponent(folder string) bool {
	for _, begin := range []string{"unet", "vae", "text_encoder", "transformer", "controlnet", "image_encoder", "safety_checker", "prior"} {
		if rest, is := strings.CutPrefix(folder, begin); is && strings.Trim(rest, "_0123456789") == "" {
			return true
		}
	}
	return false
}

// withoutPiece takes the number of a piece off a name: "x-00001-of-00003.gguf"
// (llama.cpp: llama_split_path; transformers: SAFE_WEIGHTS_INDEX_NAME).
func withoutPiece(base string) string {
	end := path.Ext(base)
	stem := strings.TrimSuffix(base, end)
	const digits = 5
	const form = "-00001-of-00003"
	at := len(stem) - len(form)
	if at <= 0 || stem[at] != '-' || stem[at+1+digits:at+1+digits+4] != "-of-" ||
		strings.Trim(stem[at+1:at+1+digits]+stem[len(stem)-digits:], "0123456789") != "" {
		return base
	}
	return stem[:at] + end
}

// Bounds of what is kept of a process's models.
const (
	maxModels    = 8
	maxModelPath = 512
	maxModelName = 160
)

// addModel adds a file to a list in which the pieces of a model are one entry.
func addModel(models []oomdoc.ModelFile, file string, size int64) []oomdoc.ModelFile {
	name := modelName(file)
	for i := range models {
		if m := &models[i]; m.Name == name && path.Dir(m.Path) == path.Dir(file) {
			if m.Path != file {
				m.Bytes += size
			}
			return models
		}
	}
	if len(models) >= maxModels || len(file) > maxModelPath {
		return models
	}
	return append(models, oomdoc.ModelFile{Path: file, Name: shortModel(name), Bytes: size, Open: true})
}

func shortModel(name string) string {
	return strings.ToValidUTF8(cutText(name, min(len(name), maxModelName)), "\uFFFD")
}
