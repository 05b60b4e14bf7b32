#!/bin/sh
# Takes the command away again, if it is still ours.
set -e
case "$1" in
  remove | purge)
    if [ "$(readlink /usr/bin/patchbay 2>/dev/null)" = '/opt/Patchbay/patchbay' ]; then rm -f /usr/bin/patchbay; fi
    ;;
esac
