// A small process that takes memory until the kernel kills it. Tests put it
// into a memory cgroup with a small limit before they let it go.
//
// usage: hog BYTES COMM-IN-HEX [HELD MODEL ANYTHING...]
// It waits for one byte on standard input, names itself, takes BYTES and, if
// it still lives then, ends with status 3: the limit did not hold. With HELD it
// first takes so many bytes, maps the file MODEL, and waits for one byte more.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

static void name_self(const char *hex) {
	char comm[16] = {0};
	for (size_t i = 0; i < 15 && hex[2 * i] && hex[2 * i + 1]; i++) {
		unsigned byte;
		sscanf(hex + 2 * i, "%2x", &byte);
		comm[i] = (char)byte;
	}
	prctl(PR_SET_NAME, comm, 0, 0, 0);
}

static int take(size_t size) {
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return 0;
	for (size_t i = 0; i < size; i += 4096)
		memory[i] = 1;
	return 1;
}

static int map(const char *path) {
	struct stat about;
	int fd = open(path, O_RDONLY);
	if (fd < 0 || fstat(fd, &about) != 0)
		return 0;
	char *file = mmap(NULL, about.st_size, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	return file != MAP_FAILED;
}

int main(int argc, char **argv) {
	char go;
	if (argc < 3 || read(0, &go, 1) != 1)
		return 2;
	name_self(argv[2]);
	if (argc > 4 && (!take(strtoull(argv[3], NULL, 10)) || !map(argv[4]) || puts("held") < 0 || fflush(stdout) != 0 || read(0, &go, 1) != 1))
		return 4;
	return take(strtoull(argv[1], NULL, 10)) ? 3 : 4;
}
