#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Fetch packages of the suite we build on into a directory, with the host's apt and its way to the
# archive, but with lists and state of our own.
#
#   fetch.sh DIR source PACKAGE     the files of a source package
#   fetch.sh DIR download PACKAGE   a binary package

. "$(dirname "$0")/lib.sh"

dir=$1
verb=$2
package=$3
state=$dir/.apt
case $verb in
source) type=deb-src options=(--download-only) ;;
download) type=deb options=() ;;
*) die "usage: fetch.sh DIR source|download PACKAGE" ;;
esac

mkdir -p "$state"/{lists/partial,cache/archives/partial,etc/apt.conf.d,etc/preferences.d}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
echo "$type [signed-by=$keyring] $("$TOP/tools/mirror.sh" uri) $SUITE main" >"$state/sources.list"
: >"$state/status"
{
	"$TOP/tools/mirror.sh" options
	cat <<-END
		APT::Architecture "amd64";
		APT::Architectures { "amd64"; };
		APT::Sandbox::User "root";
		Acquire::Languages "none";
		Dir::Etc::Parts "$state/etc/apt.conf.d";
		Dir::Etc::Main "/dev/null";
		Dir::Etc::SourceList "$state/sources.list";
		Dir::Etc::SourceParts "/dev/null";
		Dir::Etc::PreferencesParts "$state/etc/preferences.d";
		Dir::State "$state";
		Dir::State::Status "$state/status";
		Dir::Cache "$state/cache";
	END
} >"$state/apt.conf"
export APT_CONFIG=$state/apt.conf

cd "$dir"
apt-get -q update
apt-get -q "${options[@]}" "$verb" "$package"
rm -r "$state"
