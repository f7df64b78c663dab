// What eats memory in the virtual machine, one way for each cause that oomdoc
// tells apart. It is linked statically: the guest's C library is older or newer.
//
// usage: hog [-n COMM] [-o OOM_SCORE_ADJ] WAY ARGUMENT...
//   anon BYTES         touches BYTES of anonymous memory
//   forks N BYTES      N children that touch BYTES each, and one by one
//   hold BYTES         touches BYTES and sleeps
//   shm FOLDER BYTES   writes a file into FOLDER and ends: the file stays
//   pipes N            fills N pipes of 1 MiB and sleeps
//   dentries FOLDER N  looks for N names that do not exist
//   epoll N            N watches of N epoll sets: slab that nobody can reclaim
//   bind NODE BYTES    touches BYTES that may come from memory node NODE alone
//   pin FILE...        locks these files into memory and sleeps
// It ends with status 3 when it got what it asked for, 4 when it was refused.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MPOL_BIND 2 // linux/mempolicy.h

static void die(const char *what) {
	perror(what);
	exit(4);
}

static void write_file(const char *path, const char *text) {
	int fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die(path);
	close(fd);
}

static void touch(size_t size) {
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		die("mmap");
	for (size_t i = 0; i < size; i += 4096)
		memory[i] = 1;
}

static void sleep_for_ever(void) {
	puts("ready");
	fflush(stdout);
	for (;;)
		pause();
}

static void forks(int count, size_t size) {
	for (int i = 0; i < count; i++) {
		pid_t child = fork();
		if (child == 0) {
			touch(size);
			_exit(3);
		}
		if (child < 0)
			die("fork");
		waitpid(child, NULL, 0);
	}
}

static void shm(const char *folder, size_t size) {
	char path[256];
	snprintf(path, sizeof path, "%s/hog-%d", folder, getpid());
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
	if (fd < 0)
		die(path);
	static char block[1 << 16];
	memset(block, 1, sizeof block);
	for (size_t done = 0; done < size; done += sizeof block)
		if (write(fd, block, sizeof block) != sizeof block)
			die("write");
}

static void more_files(void) {
	struct rlimit all = {1 << 20, 1 << 20};
	if (setrlimit(RLIMIT_NOFILE, &all))
		die("setrlimit");
}

static void pipes(int count) {
	static char block[1 << 16];
	more_files();
	for (int i = 0; i < count; i++) {
		int ends[2];
		if (pipe2(ends, O_NONBLOCK))
			die("pipe");
		fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
		while (write(ends[1], block, sizeof block) > 0)
			;
	}
	sleep_for_ever();
}

static void dentries(const char *folder, long count) {
	char path[256];
	struct stat info;
	for (long i = 0; i < count; i++) {
		snprintf(path, sizeof path, "%s/a-name-that-is-long-enough-to-need-an-allocation-of-its-own-%ld", folder, i);
		stat(path, &info);
	}
	sleep_for_ever();
}

// A watch is an epitem and an eppoll_entry, none of which can be reclaimed
// (fs/eventpoll.c). Each set may watch each of the events once.
static void epoll(int count) {
	more_files();
	write_file("/proc/sys/fs/epoll/max_user_watches", "100000000");
	int *events = calloc(count, sizeof *events);
	for (int i = 0; i < count; i++)
		if ((events[i] = eventfd(0, 0)) < 0)
			die("eventfd");
	for (int i = 0; i < count; i++) {
		int set = epoll_create1(0);
		if (set < 0)
			die("epoll_create1");
		for (int j = 0; j < count; j++) {
			struct epoll_event event = {.events = EPOLLIN};
			if (epoll_ctl(set, EPOLL_CTL_ADD, events[j], &event))
				die("epoll_ctl");
		}
	}
	sleep_for_ever();
}

static void bind_to(int node, size_t size) {
	unsigned long nodes = 1UL << node;
	if (syscall(SYS_set_mempolicy, MPOL_BIND, &nodes, sizeof nodes * 8))
		die("set_mempolicy");
	touch(size);
}

// Without this a machine that is full reads its programs from the disk again
// and again for minutes before the kernel gives up and kills.
static void pin(int count, char **paths) {
	for (int i = 0; i < count; i++) {
		struct stat info;
		int fd = open(paths[i], O_RDONLY);
		if (fd < 0 || fstat(fd, &info) || !S_ISREG(info.st_mode) || info.st_size == 0)
			continue;
		void *bytes = mmap(NULL, info.st_size, PROT_READ, MAP_SHARED, fd, 0);
		if (bytes == MAP_FAILED || mlock(bytes, info.st_size))
			perror(paths[i]);
		close(fd);
	}
	sleep_for_ever();
}

int main(int argc, char **argv) {
	const char *adjust = "0";
	for (int option; (option = getopt(argc, argv, "+n:o:")) != -1;)
		switch (option) {
		case 'n': prctl(PR_SET_NAME, optarg, 0, 0, 0); break;
		case 'o': adjust = optarg; break;
		default: return 2;
		}
	argc -= optind;
	argv += optind;
	if (argc < 2)
		return 2;
	// What started it may be protected; the hog never is. Without the right to
	// lower the score it keeps what it has.
	int fd = open("/proc/self/oom_score_adj", O_WRONLY);
	if (fd >= 0) {
		if (write(fd, adjust, strlen(adjust)) < 0)
			perror("oom_score_adj");
		close(fd);
	}

	const char *way = argv[0];
	unsigned long long first = strtoull(argv[1], NULL, 10);
	unsigned long long second = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
	if (!strcmp(way, "anon"))
		touch(first);
	else if (!strcmp(way, "hold"))
		touch(first), sleep_for_ever();
	else if (!strcmp(way, "forks"))
		forks(first, second);
	else if (!strcmp(way, "shm"))
		shm(argv[1], second);
	else if (!strcmp(way, "pipes"))
		pipes(first);
	else if (!strcmp(way, "dentries"))
		dentries(argv[1], second);
	else if (!strcmp(way, "epoll"))
		epoll(first);
	else if (!strcmp(way, "bind"))
		bind_to(first, second);
	else if (!strcmp(way, "pin"))
		pin(argc - 1, argv + 1);
	else
		return 2;
	return 3;
}
