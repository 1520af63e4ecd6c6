#!/usr/bin/env bash
# Removes from a Hadoop what install.sh put there, and nothing else.

here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P) || exit 1
# shellcheck source=common.sh
. "$here/common.sh"

usage() {
  cat <<'USAGE'
Usage: uninstall.sh [--hadoop-home DIR] [--conf DIR] [--dry-run] [--force]

Removes Braid from this host: the files that install.sh put there, and the properties that it set.
When a file was changed since, it is named and nothing is removed, unless --force is given; nor
while properties that were set by hand name classes of Braid.

Restore converted files first ("hdfs braid restore /"): without Braid a converted file has one copy
of each block, and nothing rebuilds a lost one.

  --hadoop-home DIR  the directory that has bin/hdfs; default: HADOOP_HOME
  --conf DIR         Hadoop's configuration; default: HADOOP_CONF_DIR, else etc/hadoop
  --dry-run          show what would be done
  --force            also remove files that were changed
  --help             show this text

Exit status: 0 done; 1 failed, or a file was changed; 2 wrong usage.
USAGE
}

home='' conf='' dry=no force=no
while [ $# -gt 0 ]; do
  case $1 in
    --hadoop-home | --conf)
      [ $# -ge 2 ] || usage_error "$1 needs a directory"
      if [ "$1" = --conf ]; then conf=$2; else home=$2; fi
      shift
      ;;
    --dry-run) dry=yes ;;
    --force) force=yes ;;
    --help | -h)
      usage
      exit 0
      ;;
    *) usage_error "unknown option $1" ;;
  esac
  shift
done
find_hadoop
[ -f "$manifest" ] || fail "Braid is not installed in $home: there is no $manifest"
[ -w "$(dirname -- "$manifest")" ] || fail "cannot write to $(dirname -- "$manifest")"

directories=()
files=()
changed=0
while IFS=$'\t' read -r kind sum path; do
  case $kind in
    dir) directories+=("$path") ;;
    file)
      [ -e "$home/$path" ] || continue
      files+=("$path")
      if [ "$(checksum "$home/$path")" != "$sum" ]; then
        echo "$NAME: $home/$path was changed" >&2
        changed=1
      fi
      [ -w "$(dirname -- "$home/$path")" ] || fail "cannot write to $(dirname -- "$home/$path")"
      ;;
  esac
done <"$manifest"
[ "$changed" = 0 ] || [ "$force" = yes ] || fail "nothing is removed; --force removes changed files, too"

require_marks "$site"
if [ -f "$site" ] && [ "$force" = no ] &&
  unconfigured "$site" | tr -d '\n\r' | sed 's/<!--[^>]*-->//g' | grep -q 'org\.braid\.'; then
  fail "$site names classes of Braid in properties that install.sh did not set: take org.braid.* out of them first, or the daemons do not start"
fi
if [ -f "$site" ] && grep -qF "$BEGIN_MARK" "$site"; then
  if [ "$dry" = yes ]; then
    echo "would remove Braid's properties from $site"
  else
    # Into the file itself, which keeps its owner and rights.
    text=$(unconfigured "$site" && echo end) && printf '%s' "${text%end}" >"$site" ||
      fail "cannot change $site"
  fi
fi

for path in "${files[@]}"; do
  act rm -f -- "$home/$path" || fail "cannot remove $home/$path"
done
act rm -f -- "$manifest"
# The deepest first; one that holds other files stays.
for ((i = ${#directories[@]} - 1; i >= 0; i--)); do
  if [ "$dry" = yes ]; then
    echo "would remove $home/${directories[i]} if it is empty"
  else
    rmdir -- "$home/${directories[i]}" 2>/dev/null
  fi
done
[ "$dry" = yes ] || echo "removed Braid from $home; restart the HDFS daemons of this host"
exit 0
