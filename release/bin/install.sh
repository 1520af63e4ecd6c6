#!/usr/bin/env bash
# Installs Braid into a Hadoop on this host.

here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P) || exit 1
release=$(dirname -- "$here")
# shellcheck source=common.sh
. "$here/common.sh"

usage() {
  cat <<'USAGE'
Usage: install.sh [--hadoop-home DIR] [--conf DIR] [--role ROLE]... [--configure] [--dry-run]

Puts Braid's jars, "hdfs braid", its completion, its manual, dashboards and a systemd unit into a
Hadoop, and says which properties to set. Run it on each NameNode, DataNode and client host. It
installs over an older version. uninstall.sh removes exactly what this puts there.

  --hadoop-home DIR  the directory that has bin/hdfs; default: HADOOP_HOME
  --conf DIR         Hadoop's configuration; default: HADOOP_CONF_DIR, else etc/hadoop
  --role ROLE        namenode, datanode, client or all: whose properties are meant; may be repeated;
                     default: all
  --configure        set the properties in hdfs-site.xml; a copy of it is kept as
                     hdfs-site.xml.before-braid
  --dry-run          show what would be done
  --help             show this text

Exit status: 0 done; 1 failed; 2 wrong usage; 3 a property has another value: set it by hand.
USAGE
}

home='' conf='' dry=no configure=no roles=''
while [ $# -gt 0 ]; do
  case $1 in
    --hadoop-home | --conf | --role)
      [ $# -ge 2 ] || usage_error "$1 needs a value"
      case $1 in
        --conf) conf=$2 ;;
        --hadoop-home) home=$2 ;;
        --role)
          case $2 in
            namenode | datanode | client | all) roles="$roles $2" ;;
            *) usage_error "unknown role $2: namenode, datanode, client or all" ;;
          esac
          ;;
      esac
      shift
      ;;
    --configure) configure=yes ;;
    --dry-run) dry=yes ;;
    --help | -h)
      usage
      exit 0
      ;;
    *) usage_error "unknown option $1" ;;
  esac
  shift
done
roles=${roles:- all}
find_hadoop
require_marks "$site"

# ---- what goes where ---------------------------------------------------------------------------
# Files of the release, and their places below Hadoop's directory.
sources=()
targets=()
add() {
  sources+=("$1")
  targets+=("$2")
}
for jar in "$release"/plugins/*.jar; do
  [ -f "$jar" ] || fail "$release is no release of Braid: it has no plugins"
  name=$(basename -- "$jar")
  case $name in
    jna-*)
      # Hadoop may have it already, for another of its plugins.
      for other in "$home"/share/hadoop/{common,hdfs}/lib/jna-*.jar; do
        [ ! -f "$other" ] || [ "$(basename -- "$other")" = "$name" ] || {
          echo "$NAME: $other is there and used instead of $name" >&2
          continue 2
        }
      done
      ;;
  esac
  add "$jar" "share/hadoop/hdfs/lib/$name"
done
for file in "$release"/lib/*.jar; do
  add "$file" "share/braid/lib/$(basename -- "$file")"
done
add "$release/shellprofile.d/braid.sh" libexec/shellprofile.d/braid.sh
add "$release/bin/braid" bin/braid
add "$release/log4j.properties" share/braid/log4j.properties
for file in "$release"/{VERSION,LICENSE,THIRD-PARTY} "$release"/bin/{common.sh,uninstall.sh}; do
  add "$file" "share/braid/$(basename -- "$file")"
done
for file in "$release"/{doc,doc/pictures,man/man1,completion,dashboards}/*; do
  [ ! -f "$file" ] || add "$file" "share/braid/${file#"$release"/}"
done
add "$release/systemd/braid-daemon.service" share/braid/systemd/braid-daemon.service

# ---- checks, before anything is changed --------------------------------------------------------
for file in "${sources[@]}"; do
  [ -f "$file" ] || fail "$release is no whole release of Braid: $file is missing"
done
nearest() {
  local directory=$1
  while [ ! -d "$directory" ]; do directory=$(dirname -- "$directory"); done
  echo "$directory"
}
for target in "${targets[@]}"; do
  directory=$(nearest "$home/$(dirname -- "$target")")
  [ -w "$directory" ] || fail "cannot write to $directory: run this as the owner of $home"
done
hadoop=$(ls "$home"/share/hadoop/hdfs/ | sed -n 's/^hadoop-hdfs-\([0-9].*[0-9]\)\.jar$/\1/p' | head -n 1)
case $hadoop in
  3.4.[123] | 3.5.0) ;;
  *)
    echo "$NAME: Braid is tested with Hadoop 3.4.1, 3.4.2, 3.4.3 and 3.5.0;" \
      "$home has ${hadoop:-no version that can be told}" >&2
    ;;
esac
[ "$configure" = no ] || [ "$dry" = yes ] || [ -w "$site" ] || fail "cannot change $site"

# ---- files -------------------------------------------------------------------------------------
old=''
[ ! -f "$manifest" ] || old=$(cat -- "$manifest")
record=''
tab=$(printf '\t')
remember_directory() {
  local directory=$1 parent
  parent=$(dirname -- "$directory")
  [ "$directory" = . ] && return
  case $record$old in *"dir$tab-$tab$directory"$'\n'*) known=yes ;; *) known=no ;; esac
  if [ ! -d "$home/$directory" ] || [ "$known" = yes ]; then
    remember_directory "$parent"
    case $record in *"dir$tab-$tab$directory"$'\n'*) ;; *) record+="dir$tab-$tab$directory"$'\n' ;; esac
    [ -d "$home/$directory" ] || act mkdir -p -- "$home/$directory"
  fi
}
for i in "${!sources[@]}"; do
  source=${sources[i]} target=${targets[i]}
  remember_directory "$(dirname -- "$target")"
  if [ "$dry" = yes ]; then
    echo "would put $home/$target"
    continue
  fi
  # A new file takes the place of the old one: daemons that run keep what they have open.
  sed_or_copy=cp
  case $target in *.service) sed_or_copy=sed ;; esac
  if [ "$sed_or_copy" = sed ]; then
    sed -e "s|@HADOOP_HOME@|$home|g" -e "s|@HADOOP_CONF_DIR@|$conf|g" "$source" >"$home/$target.new"
  else
    cp -- "$source" "$home/$target.new"
  fi || fail "cannot write $home/$target"
  case $target in
    bin/* | share/braid/uninstall.sh) chmod 755 "$home/$target.new" ;;
    *) chmod 644 "$home/$target.new" ;;
  esac
  mv -f -- "$home/$target.new" "$home/$target" || fail "cannot write $home/$target"
  record+="file$tab$(checksum "$home/$target")$tab$target"$'\n'
done
# What an older version had and this one has not.
if [ -n "$old" ]; then
  while IFS=$tab read -r kind sum path; do
    case $kind$tab$record in
      file*"$tab$path"$'\n'*) ;;
      file*) act rm -f -- "$home/$path" ;;
    esac
  done <<<"$old"
fi
[ "$dry" = yes ] || printf '%s' "$record" >"$manifest" || fail "cannot write $manifest"

# ---- properties --------------------------------------------------------------------------------
names=()
values=()
want() {
  case " ${names[*]-} " in *" $1 "*) return ;; esac
  names+=("$1")
  values+=("$2")
}
for role in $roles; do
  case $role in namenode | all)
    want dfs.namenode.plugins org.braid.hdfs.namenode.BraidNameNodePlugin
    want dfs.block.replicator.classname org.braid.hdfs.namenode.BraidPlacementPolicy
    ;;
  esac
  case $role in datanode | all)
    want dfs.datanode.plugins org.braid.hdfs.datanode.BraidDataNodePlugin
    want dfs.datanode.block-pinning.enabled true
    ;;
  esac
  case $role in client | all)
    want fs.hdfs.impl org.braid.hdfs.client.BraidFileSystem
    want fs.AbstractFileSystem.hdfs.impl org.braid.hdfs.client.BraidAbstractFileSystem
    ;;
  esac
done

# The value of a property in a file, without those that this script set; fails when it has none.
value_of() {
  unconfigured "$2" | tr -d '\n\r' | sed -e 's/<!--[^>]*-->//g' -e 's|</property>|\n|g' |
    sed -n -e "s|.*<name>[[:space:]]*${1//./\\.}[[:space:]]*</name>.*<value>[[:space:]]*\([^<]*[^<[:space:]]\)[[:space:]]*</value>.*|\1|p" |
    grep . | tail -n 1
}

status=0
missing=()
for i in "${!names[@]}"; do
  if [ -f "$site" ] && present=$(value_of "${names[i]}" "$site"); then
    case ",$present," in
      *",${values[i]},"*) ;;
      *)
        case ${names[i]} in
          *.plugins) wanted=$present,${values[i]} ;;
          *) wanted=${values[i]} ;;
        esac
        echo "$NAME: ${names[i]} is $present in $site: set it to $wanted by hand" >&2
        status=3
        ;;
    esac
  else
    missing+=("$i")
  fi
done
block() {
  printf '%s\n' "$BEGIN_MARK"
  local i
  for i in "${missing[@]}"; do
    printf '<property><name>%s</name><value>%s</value></property>\n' "${names[i]}" "${values[i]}"
  done
  printf '%s\n' "$END_MARK"
}
if [ ${#missing[@]} -gt 0 ]; then
  if [ "$configure" = yes ] && [ "$dry" = no ]; then
    grep -q '</configuration>' "$site" || fail "$site has no </configuration>"
    [ -e "$site.before-braid" ] || cp -p -- "$site" "$site.before-braid" || fail "cannot copy $site"
    text=$(unconfigured "$site" | BLOCK=$(block) awk '
      { lines[NR] = $0 }
      index($0, "</configuration>") { last = NR }
      END {
        for (i = 1; i <= NR; i++) {
          if (i == last) {
            at = index(lines[i], "</configuration>")
            if (at > 1) { print substr(lines[i], 1, at - 1) }
            print ENVIRON["BLOCK"]
            print substr(lines[i], at)
          } else {
            print lines[i]
          }
        }
      }') || fail "cannot read $site"
    printf '%s\n' "$text" >"$site" || fail "cannot change $site"
    echo "set in $site (a copy is $site.before-braid):"
  else
    echo "to set in $site$([ "$configure" = yes ] || echo ", or run this with --configure"):"
  fi
  for i in "${missing[@]}"; do
    echo "  ${names[i]} = ${values[i]}"
  done
fi
if [ "$dry" = no ]; then
  echo "installed Braid $(cat -- "$release/VERSION") in $home"
  echo "next: restart the HDFS daemons of this host, then run"
  echo "  $home/bin/hdfs braid check"
fi
exit "$status"
