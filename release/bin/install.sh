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
  --configure        set the properties in hdfs-site.xml, those of roles configured before, too;
                     hdfs-site.xml.before-braid keeps the file as it was before Braid
  --dry-run          show what would be done
  --help             show this text

Exit status: 0 done; 1 failed; 2 wrong usage; 3 a property has another value: set it by hand.
USAGE
}

home='' conf='' dry=no configure=no roles='' make_copy=no
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
[ -d "$conf" ] ||
  fail "there is no directory $conf: name the one that has hdfs-site.xml by --conf or HADOOP_CONF_DIR"
case $conf in *[$'\t\n']*) fail "the name of $conf has a tab or the end of a line" ;; esac
read_site "$site"
read_properties "$conf"

# ---- what goes where ---------------------------------------------------------------------------
# Files of the release, and their places below Hadoop's directory.
sources=()
targets=()
add() {
  sources+=("$1")
  targets+=("$2")
}
# Whether an installation was broken off: its plugins are there, and nothing records them.
broken_off() {
  [ ! -f "$manifest" ] && compgen -G "$home/share/hadoop/hdfs/lib/braid-*.jar" >/dev/null
}
for jar in "$release"/plugins/*.jar; do
  [ -f "$jar" ] || fail "$release is no release of Braid: it has no plugins"
  name=${jar##*/}
  case $name in
    jna-*)
      # Hadoop may have it already, for another of its plugins. That of an older Braid goes.
      for other in "$home"/share/hadoop/{common,hdfs}/lib/jna-*.jar; do
        [ -z "$(recorded file "${other#"$home"/}")" ] || continue
        [ -f "$other" ] || continue
        if [ "${other##*/}" != "$name" ]; then
          echo "$NAME: $other is there and used instead of $name" >&2
        elif broken_off; then
          continue
        fi
        continue 2
      done
      ;;
  esac
  add "$jar" "share/hadoop/hdfs/lib/$name"
done
for file in "$release"/lib/*.jar; do
  add "$file" "share/braid/lib/${file##*/}"
done
add "$release/shellprofile.d/braid.sh" libexec/shellprofile.d/braid.sh
add "$release/bin/braid" bin/braid
add "$release/log4j.properties" share/braid/log4j.properties
for file in "$release"/{VERSION,LICENSE,THIRD-PARTY} "$release"/bin/{common.sh,uninstall.sh}; do
  add "$file" "share/braid/${file##*/}"
done
for file in "$release"/{doc,doc/pictures,man/man1,completion,dashboards}/*; do
  [ ! -f "$file" ] || add "$file" "share/braid/${file#"$release"/}"
done
add "$release/systemd/braid-daemon.service" share/braid/systemd/braid-daemon.service

# ---- checks, before anything is changed --------------------------------------------------------
for file in "${sources[@]}"; do
  [ -f "$file" ] || fail "$release is no whole release of Braid: $file is missing"
done
for target in "${targets[@]}"; do
  # The nearest that is there.
  directory=$home/${target%/*}
  while [ ! -d "$directory" ]; do directory=${directory%/*}; done
  [ -w "$directory" ] || fail "cannot write to $directory: run this as the owner of $home"
done
hadoop=''
for jar in "$home"/share/hadoop/hdfs/*.jar; do
  [[ ! $jar =~ /hadoop-hdfs-([0-9].*[0-9])\.jar$ ]] || hadoop=${BASH_REMATCH[1]}
done
case $hadoop in
  3.4.[123] | 3.5.0) ;;
  *)
    echo "$NAME: Braid is tested with Hadoop 3.4.1, 3.4.2, 3.4.3 and 3.5.0;" \
      "$home has ${hadoop:-no version that can be told}" >&2
    ;;
esac
# With an older one no daemon starts once the properties are set.
java=$(hadoop_java "$conf")
version=''
[ -z "$java" ] || version=$(java_version "$java")
major=${version#1.}
major=${major%%[!0-9]*}
[ -z "$major" ] || [ "$major" -ge 17 ] ||
  fail "Braid needs Java 17 or newer, and $home runs on $java, which is $version:" \
    "set JAVA_HOME in $conf/hadoop-env.sh first"
if [ "$configure" = yes ] && [ "$dry" = no ]; then
  [ -w "$site" ] || fail "cannot change $site"
fi

# ---- properties: which ones --------------------------------------------------------------------
tab=$(printf '\t')
properties_of() {
  case $1 in
    namenode)
      echo dfs.namenode.plugins org.braid.hdfs.namenode.BraidNameNodePlugin
      echo dfs.block.replicator.classname org.braid.hdfs.namenode.BraidPlacementPolicy
      ;;
    datanode)
      echo dfs.datanode.plugins org.braid.hdfs.datanode.BraidDataNodePlugin
      echo dfs.datanode.block-pinning.enabled true
      ;;
    client)
      echo fs.hdfs.impl org.braid.hdfs.client.BraidFileSystem
      echo fs.AbstractFileSystem.hdfs.impl org.braid.hdfs.client.BraidAbstractFileSystem
      ;;
  esac
}

# Whether the file has a property between the marks.
in_block() {
  [[ $block == *"<name>$1</name>"* ]]
}

record_name=$(physical "$site")
case " $roles " in *' all '*) roles='namenode datanode client' ;; esac
if [ "$configure" = yes ]; then
  roles="$roles $(recorded site "$record_name")"
  # Versions before did not write down for which roles they set properties.
  for role in namenode datanode client; do
    while read -r name _; do
      ! in_block "$name" || roles="$roles $role"
    done < <(properties_of "$role")
  done
fi
names=()
values=()
wanted=''
for role in namenode datanode client; do
  case " $roles " in *" $role "*) ;; *) continue ;; esac
  wanted="$wanted $role"
  while read -r name value; do
    names+=("$name")
    values+=("$value")
  done < <(properties_of "$role")
done
roles=${wanted# }

status=0
missing=()
for i in "${!names[@]}"; do
  found=$(KEY=${names[i]} awk -F '\t' '$1 == ENVIRON["KEY"] && $3 != ""' <<<"$properties" | tail -n 1)
  present=${found##*"$tab"}
  case ",$present," in
    ,,)
      if [ "$configure" = yes ] || ! in_block "${names[i]}"; then missing+=("$i"); fi
      ;;
    *",${values[i]},"*) ;;
    *)
      value=${values[i]}
      case ${names[i]} in *.plugins) value=$present,$value ;; esac
      found=${found#*"$tab"}
      echo "$NAME: ${names[i]} is $present in ${found%%"$tab"*}: set it to $value by hand" >&2
      status=3
      ;;
  esac
done

# The new text of the file, with the properties between marks before its end.
configured() {
  local LC_ALL=C head=$plain part i
  [ ${#missing[@]} -gt 0 ] || {
    printf '%s' "$plain"
    return
  }
  while true; do
    [[ $head == *'</configuration>'* ]] || return 1
    head=${head%'</configuration>'*}
    # One in a comment does not count.
    part=${head%'<!--'*}
    [[ $part != "$head" && ${head:${#part}} != *'-->'* ]] || break
  done
  # The marks stand on lines of their own, as earlier versions remove whole lines.
  case $head in
    *$'\n') printf '%s%s\n' "$head" "$BEGIN_MARK" ;;
    *) printf '%s\n%s\n%s\n' "$head" "$BEGIN_MARK" "$CUT_MARK" ;;
  esac
  for i in "${missing[@]}"; do
    printf '<property><name>%s</name><value>%s</value></property>\n' "${names[i]}" "${values[i]}"
  done
  printf '%s\n%s' "$END_MARK" "${plain:${#head}}"
}

copy=$site.before-braid
made=$(recorded copy "$record_name.before-braid")
if [ "$configure" = yes ] && [ "$dry" = no ]; then
  text=$(configured && echo end) || fail "$site has no </configuration>"
  text=${text%end}
  printf '%s' "$text" | cmp -s - "$site" || [ -w "$conf" ] ||
    fail "cannot write to $conf, where the new hdfs-site.xml is written before it takes effect"
  if [ ! -e "$copy" ] || { [ -z "$made" ] && [ -z "$block" ]; }; then
    # Braid is not in the file yet, or its copy is gone.
    make_copy=yes made=$(date '+%Y-%m-%d %H:%M:%S')
  fi
fi

# ---- files -------------------------------------------------------------------------------------
old=''
[ ! -f "$manifest" ] || old=$(cat -- "$manifest")
record=''
to_make=()
remember_directory() {
  local directory=$1 parent=. known=no
  [ "$directory" = . ] && return
  case $directory in */*) parent=${directory%/*} ;; esac
  case $record$old in *"dir$tab-$tab$directory"$'\n'*) known=yes ;; esac
  # Nobody else makes these; an installation that was broken off may have.
  case $directory/ in share/braid/*) known=yes ;; esac
  if [ ! -d "$home/$directory" ] || [ "$known" = yes ]; then
    remember_directory "$parent"
    case $record in
      *"dir$tab-$tab$directory"$'\n'*) return ;;
    esac
    record+="dir$tab-$tab$directory"$'\n'
    [ -d "$home/$directory" ] || to_make+=("$directory")
  fi
}
write_manifest() {
  { printf '%s' "$1" >"$manifest.new" && mv -f -- "$manifest.new" "$manifest"; } || {
    rm -f -- "$manifest.new"
    fail "cannot write $manifest"
  }
}
unit=$(cat -- "$release/systemd/braid-daemon.service") || fail "cannot read the systemd unit"
unit=${unit//@HADOOP_HOME@/"$home"}
# Between quotation marks, where systemd has a meaning of its own for some characters.
quoted=$(printf '%s' "$conf" | sed 's/[\\"]/\\&/g; s/%/%%/g')
unit=${unit//@HADOOP_CONF_DIR@/"$quoted"}
checksums "${sources[@]}"
before=''
for i in "${!sources[@]}"; do
  target=${targets[i]}
  directory=${target%/*}
  # Many are in the directory of the one before.
  [ "$directory" = "$before" ] || remember_directory "$directory"
  before=$directory
  case $target in
    *.service) sum=$(printf '%s\n' "$unit" | sha256sum | cut -d ' ' -f 1) ;;
    *) sum=${sums[i]} && [ -n "$sum" ] ;;
  esac || fail "cannot read ${sources[i]}"
  record+="file$tab$sum$tab$target"$'\n'
done
if [ "$dry" = no ]; then
  # What is to come stands there before it comes, beside what is there: wherever this is killed,
  # uninstall.sh finds all of it, and so does another installation.
  mkdir -p -m 755 -- "$home/share/braid" || fail "cannot make $home/share/braid"
  intended=$record
  while IFS= read -r line; do
    [ -n "$line" ] || continue
    case $'\n'$intended in
      *$'\n'"$line"$'\n'*) ;;
      *) intended+=$line$'\n' ;;
    esac
  done <<<"$old"
  write_manifest "$intended"
fi
for directory in ${to_make[@]+"${to_make[@]}"}; do
  # For the daemons' users, too, whatever the umask of whoever installs.
  [ -d "$home/$directory" ] || act mkdir -p -m 755 -- "$home/$directory"
done
for i in "${!sources[@]}"; do
  source=${sources[i]} target=${targets[i]}
  if [ "$dry" = yes ]; then
    echo "would put $home/$target"
    continue
  fi
  # A new file takes the place of the old one: daemons that run keep what they have open.
  if [[ $target = *.service ]]; then
    printf '%s\n' "$unit" >"$home/$target.new"
  else
    cp -- "$source" "$home/$target.new"
  fi || fail "cannot write $home/$target"
  case $target in
    bin/* | share/braid/uninstall.sh) chmod 755 "$home/$target.new" ;;
    *) chmod 644 "$home/$target.new" ;;
  esac
  mv -f -- "$home/$target.new" "$home/$target" || fail "cannot write $home/$target"
done
# What an older version had and this one has not.
if [ -n "$old" ]; then
  while IFS=$tab read -r kind sum path; do
    case $kind$tab$record in
      file*"$tab$path"$'\n'*) ;;
      file*)
        act rm -f -- "$home/$path"
        [ ! -e "$home/$path.new" ] || act rm -f -- "$home/$path.new"
        ;;
    esac
  done <<<"$old"
fi
# Where properties are set, for which roles, and the copies of these files.
if [ "$configure" = yes ]; then
  record+="site$tab$roles$tab$record_name"$'\n'
  [ -z "$made" ] || record+="copy$tab$made$tab$record_name.before-braid"$'\n'
fi
while IFS=$tab read -r kind sum path; do
  case $kind in
    site | copy)
      case $record in *"$tab$path"$'\n'*) ;; *) record+="$kind$tab$sum$tab$path"$'\n' ;; esac
      ;;
  esac
done <<<"$old"
[ "$dry" = yes ] || write_manifest "$record"

# ---- properties --------------------------------------------------------------------------------
if [ "$configure" = yes ] && [ "$dry" = no ]; then
  if [ "$make_copy" = yes ]; then
    if [ -e "$copy" ] && ! printf '%s' "$plain" | cmp -s - "$copy"; then
      # From before an earlier installation: whoever keeps it decides about it.
      other=$copy.$(date '+%Y%m%d-%H%M%S')
      mv -- "$copy" "$other" || fail "cannot rename $copy"
      echo "an older copy is now $other"
    fi
    # With the file's owner and rights, without properties of Braid.
    cp -p -- "$site" "$copy.new" && printf '%s' "$plain" >"$copy.new" &&
      printf '%s' "$plain" | cmp -s - "$copy.new" && mv -f -- "$copy.new" "$copy" || {
      rm -f -- "$copy.new" # a part of it would be taken for the whole
      fail "cannot write $copy"
    }
  fi
  write_into "$site" "$text"
fi
if [ ${#missing[@]} -gt 0 ]; then
  if [ "$configure" = no ]; then
    echo "to set in $site, or run this with --configure:"
  elif [ "$dry" = yes ]; then
    echo "to set in $site for ${roles// /, }:"
  else
    echo "set in $site for ${roles// /, }" \
      "($copy is the file before Braid, copied ${made:-by an earlier installation}):"
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
