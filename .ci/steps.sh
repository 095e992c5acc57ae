# shellcheck shell=bash
# Sourced by .ci/run: steps, and at the end, also where one fails or is interrupted, a table of their times.

step_rows=() # "SECONDS NAME", of steps that have ended
step_name='' # the one that runs
step_start=0

# step NAME COMMAND...: runs it and says how long it took.
step() {
  step_name=$1 step_start=$SECONDS
  shift
  echo "== $step_name"
  "$@"
  echo "-- $step_name: $((SECONDS - step_start)) s"
  step_rows+=("$((SECONDS - step_start)) $step_name")
  step_name=''
}

# For `trap step_table EXIT`: the table, and whether all steps that began went well.
step_table() {
  local status=$?
  [ -z "$step_name" ] || step_rows+=("$((SECONDS - step_start)) $step_name  FAILED")
  echo "== the time of each step, in seconds"
  [ ${#step_rows[@]} = 0 ] || printf '%s\n' "${step_rows[@]}" | while read -r seconds name; do printf '%6d  %s\n' "$seconds" "$name"; done
  printf '%6d  %s\n' "$SECONDS" "all of it"
  return $status
}

# longest_builds SINCE COUNT [LOGS]: the derivations that took longest of those that Nix has begun to build since then
# (seconds since 1970). It creates a log when a build begins and writes to it last when it ends; where the file system
# keeps no times of birth, nothing is known.
longest_builds() {
  local logs=${3:-${NIX_LOG_DIR:-/nix/var/log/nix}/drvs}
  [ -d "$logs" ] || return 0
  find "$logs" -type f -newermt "@$1" -exec stat --format='%W %Y %n' {} + |
    awk -v since="$1" '$1 >= since { sub(".*/", "", $3); sub("^[^-]*-", "", $3); sub("[.]drv.*", "", $3); print $2 - $1, $3 }' |
    sort -k1,1nr -k2 | awk -v count="$2" 'NR <= count { printf "%6d  %s\n", $1, $2 }'
}
