// SPDX-License-Identifier: Apache-2.0
// Prints the lines that tell of selections: selections [SOCKET]. Build: cc -o selections selections.c
// A program takes its JSON library to them; here the text is enough.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int count, char **words) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const char *path = count > 1 ? words[1] : "/run/detent/detent.sock";
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
    perror(path);
    return 1;
  }
  const char *request = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscribe\","
                        "\"params\":{\"events\":[\"selection\"]}}\n";
  if (send(descriptor, request, strlen(request), MSG_NOSIGNAL) < 0) perror("send");

  FILE *lines = fdopen(descriptor, "r");
  char *line = NULL;
  size_t size = 0;
  // What comes without a newline at the end is half a line, and counts for nothing.
  for (ssize_t length; (length = getline(&line, &size, lines)) > 0 && line[length - 1] == '\n';) {
    if (!strstr(line, "\"method\":\"selection\"")) continue;
    fputs(line, stdout);
    fflush(stdout);
  }
  free(line);
  fclose(lines);
  return 0;
}
