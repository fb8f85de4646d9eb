# The load of the git server: a clone every 3 s and 4 listings of references a second.
i=0
while :; do
  i=$((i+1))
  (d=$(mktemp -d); git clone -q http://127.0.0.1:7106/main.git $d/x; rm -rf $d) &
  for k in 1 2 3 4 5 6 7 8 9 10 11 12; do git ls-remote -q http://127.0.0.1:7106/main.git >/dev/null & done
  sleep 3
done
