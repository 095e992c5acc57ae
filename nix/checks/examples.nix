# The examples that train, in small: seconds each, with a bar that a network which learns nothing does not reach. In
# full they are run by hand, `nix run .#examples -- NAME`; each ends with an error if it misses its goal.
{
  digits,
  examples,
  runCommand,
  source,
}:
let
  src = source {
    name = "examples-tests";
    paths = [
      "examples"
      "tests/examples"
    ];
  };
in
runCommand "torch-examples-quick" { } ''
  mkdir $out
  export TMPDIR=$PWD OMP_NUM_THREADS=2
  for name in digits_cnn char_gpt vae lstm_sine actor_critic; do
    echo "== $name"
    ${examples}/bin/torch-examples $name --quick --out $out
  done 2>&1 | tee $out/report.txt
  # and on from the checkpoint
  ${examples}/bin/torch-examples char_gpt --quick --steps 80 --resume --out $out 2>&1 | tee -a $out/report.txt
  # with nothing left to do it writes its sample
  ${examples}/bin/torch-examples char_gpt --quick --steps 80 --resume --out $out 2>&1 | tee -a $out/report.txt | grep "80 steps already"
  ${examples.interpreter}/bin/python ${src}/tests/examples/progress.py ${src}/examples 2>&1 | tee -a $out/report.txt
  export TORCH_DIGITS=${digits}/digits.csv.gz
  ${examples.interpreter}/bin/python ${src}/tests/examples/ddp.py ${src}/examples 2>&1 | tee -a $out/report.txt
  TORCH_BIBLE=${src}/examples/fsdp_gpt.py ${examples.interpreter}/bin/python -m torch.distributed.run --standalone --nproc-per-node 4 \
    ${src}/examples/fsdp_gpt.py --steps 20 2>&1 | tee -a $out/report.txt
  rm $out/char_gpt.pt
  for picture in digits_cnn digits_confusion char_gpt vae lstm_sine actor_critic; do test -s $out/$picture.png; done
  echo "9 passed, 0 failed" >> $out/report.txt
''
