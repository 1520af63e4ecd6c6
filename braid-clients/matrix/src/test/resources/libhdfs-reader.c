/* Reads a file through libhdfs in the ways that its callers do, and says what it got.
 * Arguments: the library, the NameNode's host and port, the file, and KEY=VALUE settings. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 100000 };

static void *library;

static void *function(const char *name) {
  void *found = dlsym(library, name);
  if (found == NULL) {
    printf("> failed: %s\n", dlerror());
    exit(1);
  }
  return found;
}

static uint32_t crc(uint32_t sum, const unsigned char *bytes, int length) {
  sum = ~sum;
  for (int i = 0; i < length; i++) {
    sum ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) {
      sum = (sum >> 1) ^ (0xEDB88320u & (0 - (sum & 1)));
    }
  }
  return ~sum;
}

static int failed(const char *what) {
  printf("> failed: %s\n", what);
  return 1;
}

int main(int count, char **words) {
  if (count < 5) {
    return failed("LIBRARY HOST PORT FILE [KEY=VALUE...]");
  }
  library = dlopen(words[1], RTLD_NOW);
  if (library == NULL) {
    return failed(dlerror());
  }
  void *(*builder)(void) = (void *(*)(void))function("hdfsNewBuilder");
  void (*node)(void *, const char *) =
      (void (*)(void *, const char *))function("hdfsBuilderSetNameNode");
  void (*port)(void *, uint16_t) = (void (*)(void *, uint16_t))function("hdfsBuilderSetNameNodePort");
  int (*set)(void *, const char *, const char *) =
      (int (*)(void *, const char *, const char *))function("hdfsBuilderConfSetStr");
  void *(*join)(void *) = (void *(*)(void *))function("hdfsBuilderConnect");
  void *(*open_file)(void *, const char *, int, int, short, int32_t) =
      (void *(*)(void *, const char *, int, int, short, int32_t))function("hdfsOpenFile");
  int32_t (*get)(void *, void *, void *, int32_t) =
      (int32_t(*)(void *, void *, void *, int32_t))function("hdfsRead");
  int32_t (*get_at)(void *, void *, int64_t, void *, int32_t) =
      (int32_t(*)(void *, void *, int64_t, void *, int32_t))function("hdfsPread");
  int (*seek)(void *, void *, int64_t) = (int (*)(void *, void *, int64_t))function("hdfsSeek");
  int (*close_file)(void *, void *) = (int (*)(void *, void *))function("hdfsCloseFile");
  char ***(*hosts)(void *, const char *, int64_t, int64_t) =
      (char ***(*)(void *, const char *, int64_t, int64_t))function("hdfsGetHosts");
  int (*leave)(void *) = (int (*)(void *))function("hdfsDisconnect");

  void *made = builder();
  node(made, words[2]);
  port(made, (uint16_t)atoi(words[3]));
  for (int i = 5; i < count; i++) {
    char *value = strchr(words[i], '=');
    if (value == NULL) {
      return failed(words[i]);
    }
    *value = 0;
    set(made, words[i], value + 1);
  }
  void *fs = join(made);
  if (fs == NULL) {
    return failed("it does not connect");
  }
  void *file = open_file(fs, words[4], O_RDONLY, 0, 0, 0);
  if (file == NULL) {
    return failed("the file is not opened");
  }
  unsigned char *piece = malloc(PIECE);
  uint32_t sum = 0;
  long length = 0;
  int got;
  while ((got = get(fs, file, piece, PIECE)) > 0) {
    sum = crc(sum, piece, got);
    length += got;
  }
  if (got < 0) {
    return failed("the stream is not read");
  }
  printf("> stream %ld %08x\n", length, sum);
  sum = 0;
  for (long at = 0; at < length; at += got) {
    got = get_at(fs, file, at, piece, PIECE);
    if (got <= 0) {
      return failed("a positioned read");
    }
    sum = crc(sum, piece, got);
  }
  printf("> positioned %ld %08x\n", length, sum);
  if (seek(fs, file, length / 2) != 0) {
    return failed("seek");
  }
  sum = 0;
  long rest = 0;
  while ((got = get(fs, file, piece, PIECE)) > 0) {
    sum = crc(sum, piece, got);
    rest += got;
  }
  printf("> half %ld %08x\n", rest, sum);
  char ***named = hosts(fs, words[4], 0, length);
  int blocks = 0;
  while (named != NULL && named[blocks] != NULL) {
    blocks++;
  }
  printf("> blocks %d\n", blocks);
  close_file(fs, file);
  leave(fs);
  return 0;
}
