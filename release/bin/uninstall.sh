#!/usr/bin/env bash
# Removes from a Hadoop what install.sh put there, and nothing else.

here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P) || exit 1
# shellcheck source=common.sh
. "$here/common.sh"

usage() {
  cat <<'USAGE'
Usage: uninstall.sh [--hadoop-home DIR] [--conf DIR] [--dry-run] [--force]

Removes Braid from this host: the files that install.sh put there, and the properties that it set,
in all files in which it set them. When a file was changed since, it is named and nothing is
removed, unless --force is given; nor while a file of these properties cannot be changed, or
properties that were set by hand name classes of Braid. hdfs-site.xml.before-braid, the copy of the
file before Braid, is removed when the file is again the same, else kept and named.

Restore converted files first ("hdfs braid restore /"): without Braid a converted file has one copy
of each block, and nothing rebuilds a lost one.

  --hadoop-home DIR  the directory that has bin/hdfs; default: HADOOP_HOME
  --conf DIR         Hadoop's configuration, beside those that install.sh changed; default:
                     HADOOP_CONF_DIR, else etc/hadoop
  --dry-run          show what would be done
  --force            also remove files that were changed, and leave out files of properties that
                     are not there any more
  --help             show this text

Exit status: 0 done; 1 failed, or a file was changed; 2 wrong usage.
USAGE
}

home='' conf='' dry=no force=no properties=''
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
installed=()
parts=()
sites=()
changed=0
seen=$'\n'
while IFS=$'\t' read -r kind sum path; do
  case $kind in
    dir) directories+=("$path") ;;
    site) sites+=("$path") ;;
    file)
      # Twice where an installation over another one was broken off.
      case $seen in *$'\n'"$path"$'\n'*) continue ;; esac
      seen+=$path$'\n'
      [ ! -e "$home/$path.new" ] || parts+=("$path.new")
      [ -e "$home/$path" ] || continue
      files+=("$path")
      installed+=("$home/$path")
      ;;
  esac
done <"$manifest"
checksums ${installed[@]+"${installed[@]}"}
record=$'\n'$(cat -- "$manifest")$'\n'
for ((i = 0; i < ${#files[@]}; i++)); do
  line="file"$'\t'"${sums[i]}"$'\t'"${files[i]}"
  case $record in
    *$'\n'"$line"$'\n'*) ;;
    *)
      echo "$NAME: ${installed[i]} was changed" >&2
      changed=1
      ;;
  esac
  directory=${installed[i]%/*}
  [ -w "$directory" ] || fail "cannot write to $directory"
done
[ "$changed" = 0 ] || [ "$force" = yes ] || fail "nothing is removed; --force removes changed files, too"

# Daemons whose properties name classes that are gone do not start: all files of properties first.
[ ! -f "$site" ] || sites+=("$(physical "$site")")
# Versions before did not write down where they set properties.
site=$home/etc/hadoop/hdfs-site.xml
[ ! -f "$site" ] || ! grep -qF "$BEGIN_MARK" "$site" || sites+=("$(physical "$site")")
changing=()
looked=''
for path in ${sites[@]+"${sites[@]}"}; do
  case $'\n'$looked in *$'\n'"$path"$'\n'*) continue ;; esac
  looked+=$path$'\n'
  [ -f "$path" ] || {
    [ "$force" = yes ] || fail "$path, in which install.sh set properties, is not there;" \
      "--force removes Braid without looking at it"
    continue
  }
  read_site "$path"
  [ -z "$block" ] || { [ -w "$path" ] && [ -w "$(dirname -- "$path")" ]; } || [ "$dry" = yes ] ||
    fail "cannot take Braid's properties out of $path"
  changing+=("$path")
  [ "$force" = no ] || continue
  read_properties "$(dirname -- "$path")"
  by_hand=$(awk -F '\t' 'index($3, "org.braid.") { print $2; exit }' <<<"$properties")
  [ -z "$by_hand" ] || fail "$by_hand names classes of Braid in properties that install.sh did not set:" \
    "take org.braid.* out of them first, or the daemons do not start"
done
for path in ${changing[@]+"${changing[@]}"}; do
  read_site "$path"
  if [ -n "$block" ]; then
    if [ "$dry" = yes ]; then
      echo "would remove Braid's properties from $path"
    else
      write_into "$path" "$plain"
    fi
  fi
  copy=$path.before-braid
  # Of a run that was killed.
  for part in "$copy.new" "$path.braid-part"; do
    [ ! -e "$part" ] || act rm -f -- "$part"
  done
  [ -f "$copy" ] || continue
  if printf '%s' "$plain" | cmp -s - "$copy"; then
    act rm -f -- "$copy" || fail "cannot remove $copy"
  else
    made=$(recorded copy "$copy")
    echo "$copy stays: $path had this content before Braid (${made:-an earlier installation})" \
      "and has another one now"
  fi
done

for path in ${files[@]+"${files[@]}"} ${parts[@]+"${parts[@]}"}; do
  act rm -f -- "$home/$path" || fail "cannot remove $home/$path"
done
act rm -f -- "$manifest" "$manifest.new"
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
