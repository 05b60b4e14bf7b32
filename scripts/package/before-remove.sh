#!/bin/sh
# Ends what runs from the folder that is about to go: the app, headless cores and bridges. An upgrade leaves them alone.
set -e
[ "$1" = remove ] || exit 0

running() {
  for exe in /proc/[0-9]*/exe; do
    case "$(readlink "$exe" 2>/dev/null)" in
      /opt/Patchbay/*) pid=${exe#/proc/}; echo "${pid%/exe}" ;;
    esac
  done
}

for pid in $(running); do kill -TERM "$pid" 2>/dev/null || true; done
tries=0
while [ -n "$(running)" ] && [ "$tries" -lt 50 ]; do
  tries=$((tries + 1))
  sleep 0.1
done
for pid in $(running); do kill -KILL "$pid" 2>/dev/null || true; done
