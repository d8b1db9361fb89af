# A reader's shell: what each call of curl was answered and which commands failed is written to $REPORT/failures.
set -u

failed() { printf '%s\t%s\t%s\n' "$1" "$2" "${3//$'\n'/ }" >> "$REPORT/failures"; }

trap 'failed "$LINENO" "exit code $?" "$BASH_COMMAND"' ERR

# An HTTP status of an error is no failure to curl, but it is one to a reader.
curl() {
  local line=${BASH_LINENO[0]} said="$REPORT/curl-$BASHPID" code=0
  command curl "$@" --write-out '%{stderr}\n%{http_code}' 2> "$said" || code=$?
  local status=$(tail -n 1 "$said")
  sed '$d' "$said" >&2
  if ((code == 0 && 10#$status >= 400)); then failed "$line" "$status" "curl $*"; fi
  return $code
}

# The outcomes of a block are those that it announces, else the reader stops here.
finish() {
  if [ "$(cut -f 2 "$REPORT/failures" | paste -sd ';')" != "$1" ]; then exit 1; fi
  : > "$REPORT/failures"
}
