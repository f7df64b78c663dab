// A small process that takes memory until the kernel kills it. Tests put it
// into a memory cgroup with a small limit before they let it go.
//
// usage: hog BYTES COMM-IN-HEX
// It waits for one byte on standard input, names itself, takes BYTES and, if
// it still lives then, ends with status 3: the limit did not hold.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
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

int main(int argc, char **argv) {
	char go;
	if (argc != 3 || read(0, &go, 1) != 1)
		return 2;
	name_self(argv[2]);
	size_t size = strtoull(argv[1], NULL, 10);
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return 4;
	for (size_t i = 0; i < size; i += 4096)
		memory[i] = 1;
	return 3;
}
