# shellcheck shell=bash
# Packages of a Debian suite without touching the system: sourced by ci/producers and ci/consumers, which set `partial` (a folder for what is
# under way) and have `fail`.

# Gives apt a state of its own in $partial for one archive; the first time downloads the lists of its packages.
open() {
  archive=$1
  local state=$partial/apt/$1 keyring='' mirror option
  if [ -e "$state/failed" ]; then fail 1 "$1 is not available, see above"; fi
  if [ -e "$state/opened" ]; then return; fi
  for keyring in "${SFRAME_CONFORMANCE_DEBIAN_KEYRING:-}" /usr/share/keyrings/debian-archive-keyring.{pgp,gpg} ''; do [ ! -f "$keyring" ] || break; done
  [ -n "$keyring" ] || fail 1 "no keyring of Debian to check $1 with: apt-get install debian-archive-keyring"
  mkdir -p "$state"/lists/partial "$state"/cache/archives/partial
  : >"$state/status"
  # The system's own configuration stays in force (proxies), except its hooks.
  cat >"$state/apt.conf" <<END
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear APT::Default-Release;
APT::Get::List-Cleanup "false"; APT::Install-Recommends "false"; APT::Sandbox::User "root"; APT::Update::Error-Mode "any";
Acquire::Languages "none"; Acquire::GzipIndexes "true"; Acquire::Retries "1"; Acquire::http::Timeout "20"; Acquire::https::Timeout "20";
Dir::Etc::SourceList "$state/sources.list"; Dir::Etc::SourceParts "/dev/null"; Dir::Etc::Preferences "/dev/null"; Dir::Etc::PreferencesParts "/dev/null";
Dir::State "$state"; Dir::State::Lists "$state/lists"; Dir::State::status "$state/status";
Dir::Cache "$state/cache"; Dir::Cache::pkgcache "pkgcache.bin"; Dir::Cache::srcpkgcache "";
END
  local machines=$(dpkg --print-architecture)
  if [[ $1 == *-foreign ]]; then
    machines=amd64,arm64,s390x
    echo 'APT::Architectures {"amd64"; "arm64"; "s390x";};' >>"$state/apt.conf"
  fi
  option="arch=$machines signed-by=$keyring"
  for mirror in $(mirrors); do
    echo "deb [$option] $mirror ${1%-@(security|foreign)} main" >"$state/sources.list"
    # Its packages need those of sid.
    [ "$1" != experimental ] || echo "deb [$option] $mirror sid main" >>"$state/sources.list"
    [ "${1%-security}" = "$1" ] || echo "deb [$option] ${mirror%/}-security $1 main" >>"$state/sources.list"
    if apt get update -qq 2>"$state/errors"; then
      : >"$state/opened"
      return
    fi
    # Not the user and password that a mirror may have in its address.
    grep '^[EW]:' "$state/errors" | sed -E 's,//[^/@ ]*@,//,; s/^/  /' | head -n 4 >&2
    ! grep -qE 'NO_PUBKEY|Missing key|not signed' "$state/errors" || echo "  $keyring may be too old for $1: install a newer debian-archive-keyring" >&2
  done
  : >"$state/failed"
  fail 1 "no mirror gave the package lists of $1; SFRAME_CONFORMANCE_DEBIAN_MIRROR=URL names another"
}

# On Debian apt's configuration names a mirror. That it has the packages of Debian is checked by their signature.
mirrors() {
  if [ -n "${SFRAME_CONFORMANCE_DEBIAN_MIRROR:-}" ]; then
    echo "$SFRAME_CONFORMANCE_DEBIAN_MIRROR"
    return
  fi
  local public=http://deb.debian.org/debian empty=$partial/apt/none
  mkdir -p "$empty"/lists/partial "$empty"/cache/archives/partial
  {
    # With no lists there, it prints what it would have to fetch.
    # shellcheck source=/dev/null
    if (. /etc/os-release && [ "${ID:-}" = debian ]); then
      apt-get update --print-uris -o Dir::State::Lists="$empty/lists" -o Dir::Cache="$empty/cache" 2>/dev/null |
        sed -nE "s,^'(.*)/dists/(bookworm|trixie|forky|duke|sid|oldstable|stable|testing|unstable)/InRelease'.*,\1,p" | head -n 1 || true
    fi
    echo "$public"
  } | awk '!seen[$0]++'
}

# apt get ..., apt cache ...: in the state of the archive that is open.
apt() {
  "apt-$1" -c "$partial/apt/$archive/apt.conf" "${@:2}"
}

# Names of the packages in `with` and of those with the libraries that they need; what has no program or library for us is left out.
closure() {
  apt get install --simulate "${with[@]}" 2>"$partial/errors" | awk '$1 == "Inst" {print $2}' |
    grep -vE -e '-(base|common)$' -e '^(libc-gconv|libgprofng)' ||
    { sed 's/^/  /' "$partial/errors" >&2; fail 1 "$archive cannot give ${with[*]}"; }
}

# Prints `package version` of each, in order, as the open archive has them.
versions_of() {
  apt cache show --no-all-versions "$@" 2>/dev/null | awk '/^Package:/ {p = $2} /^Version:/ {print p, $2}' | LC_ALL=C sort || true
}

# Downloads the newest source of a package, as upstream made it, into $partial; `fetched` is the file's name. A mirror may lack the
# newest that its list names: then an earlier one. SUITE PACKAGE; 1 if there is none.
source_package() {
  local uri hash sources version
  open "$1"
  sources=$partial/apt/$1/sources.list
  grep -q ^deb-src "$sources" || { sed -n 's/^deb /deb-src /p' "$sources" >"$partial/sources" && cat "$partial/sources" >>"$sources"; }
  apt get update -qq 2>"$partial/errors" || fail 1 "$1 has no sources"
  while read -r version; do
    read -r uri fetched _ hash < <(apt get source --print-uris "$2=$version" 2>/dev/null | grep -F .orig.tar. | tr -d \') || continue
    /usr/lib/apt/apt-helper -c "$partial/apt/$archive/apt.conf" download-file "$uri" "$partial/$fetched" "$hash" >"$partial/errors" 2>&1 && return
    grep '^[EW]:' "$partial/errors" | sed -E 's,//[^/@ ]*@,//,; s/^/  /' >&2
  done < <(apt cache showsrc "$2" 2>/dev/null | sed -n 's/^Version: //p' | sort -rV | uniq | head -n 4)
  return 1
}

# The highest number in the names of the packages that match.
newest() {
  apt cache pkgnames | grep -xE "$1" | grep -oE -m 1000 '^[a-z]+-[0-9]+' | grep -oE '[0-9]+$' | sort -n | tail -n 1
}
