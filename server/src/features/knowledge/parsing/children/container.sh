# The first process of a container: mounts what the container shows, and waits for the program.
# The program cannot be the first process, since that one cannot end itself by a signal.
# Words: the file of mounts, the new root folder, the folder to work in, and the command. The three may be empty.
set -u
mounts=$1 root=$2 folder=$3
shift 3
# A container that cannot be made is a program that cannot be run, and says nothing about the document.
if [ -n "$mounts" ]; then
  mount --all --fstab "$mounts" || exit 126
fi
if [ -n "$folder" ]; then
  cd "$folder" || exit 126
fi
if [ -n "$root" ]; then
  # The kernel makes no namespaces for a process whose root was changed, so the program gains no privileges by one.
  set -- chroot "$root" "$@"
fi
unset PWD OLDPWD
"$@"
exit "$?"
