import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { InputError } from '../../../common/errors';
import { INTERCEPTION_PREFERENCE, ROOT_HANDLE } from '../../tcp/tc-commands';

/**
 * Runs `tc` and returns what it printed.
 * @throws InputError with what it says against that.
 */
export function tc(...args: readonly string[]): string {
  const run = spawnSync('tc', args, { encoding: 'utf8' });
  if (run.error !== undefined) throw needsTc(run.error);
  if (run.status !== 0) throw new InputError(`tc ${args.join(' ')}: ${oneLine(run.stderr)}`);
  return run.stdout;
}

/**
 * Runs commands one after the other, up to the first that fails.
 * @throws InputError with that command and what tc says.
 */
export function tcBatch(commands: readonly string[], purpose: string): void {
  const input = commands.join('\n') + '\n';
  const run = spawnSync('tc', ['-batch', '-'], { encoding: 'utf8', input });
  if (run.error !== undefined) throw needsTc(run.error);
  if (run.status === 0) return;
  const line = Number(/Command failed -:(\d+)/.exec(run.stderr)?.[1] ?? 1);
  const failed = commands[line - 1] ?? '';
  throw new InputError(`${purpose}: tc ${failed}: ${oneLine(run.stderr)}`);
}

const needsTc = (error: Error): InputError =>
  new InputError(`control of TCP needs the tc command (Debian: iproute2): ${error.message}`);

const oneLine = (text: string): string => text.trim().replace(/\s*\n\s*/g, '; ');

/** Looks, a second apart, at which a process that has not waited for anything stands still. */
const STILL_LOOKS = 3;

/**
 * Script behind the pipe: tc until the pipe ends, whatever ended it, or the process behind it stands still, and then the
 * commands that undo all of it, also for a process that was killed.
 *
 * A process that is well waits often, for packets or its next round; one that is stopped, or caught in a loop,
 * never does, and the kernel counts that.
 *
 * $1 device, $2 whether the place for filters at the ingress is ours, $3 the process that sets rates.
 */
const SCRIPT = `
exec 5<&0
tc -force -batch - <&5 5<&- &
tc=$!
exec 5<&- </dev/null
(
  still=0
  before=
  while sleep 1 2>/dev/null 3>&-; do
    now=
    while read -r name value; do
      if [ "$name" = voluntary_ctxt_switches: ]; then now=$value; fi
    done 2>/dev/null <"/proc/$3/status"
    if [ "$now" = "$before" ]; then still=$((still + 1)); else still=0; fi
    before=$now
    if [ "$still" -ge ${STILL_LOOKS} ]; then
      echo 'the agent stood still, and its rates were taken away' >&2
      kill "$tc"
      exit
    fi
  done
) &
watch=$!
wait "$tc"
kill "$watch" 2>/dev/null
tc qdisc del dev "$1" root handle ${ROOT_HANDLE} 2>/dev/null
tc filter del dev "$1" ingress prio ${INTERCEPTION_PREFERENCE} 2>/dev/null
if [ "$2" = own ] && [ -z "$(tc filter show dev "$1" ingress; tc filter show dev "$1" egress)" ]
then tc qdisc del dev "$1" clsact 2>/dev/null
fi
true
`;

export interface TcPipeOptions {
  readonly device: string;
  readonly ownsIngress: boolean;
  /** The lock of the interface, which is held until everything is taken away. */
  readonly lockFd: number;
  readonly onError: (line: string) => void;
}

/**
 * A tc that stays: commands take effect as they are written, some ten microseconds each.
 * PERF: a process per command would cost a millisecond or more.
 */
export class TcPipe {
  commands = 0;
  errors = 0;
  /** Resolves when it ended though nobody had asked it to: nothing is controlled any more. */
  readonly lost: Promise<void>;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #isWanted = true;
  #hasEnded = false;

  constructor({ device, ownsIngress, lockFd, onError }: TcPipeOptions) {
    const args = [
      '-c',
      SCRIPT,
      'hpcc-tc',
      device,
      ownsIngress ? 'own' : 'shared',
      String(process.pid),
    ];
    // In a session of its own, or Ctrl-C would end it before its time.
    const stdio: ('pipe' | 'ignore' | number)[] = ['pipe', 'ignore', 'pipe', lockFd];
    this.#child = spawn('sh', args, { detached: true, stdio });
    this.#ended = new Promise((resolve) => {
      this.#child.once('close', () => {
        this.#hasEnded = true;
        resolve();
      });
    });
    this.lost = new Promise((resolve) => {
      this.#child.once('exit', () => {
        if (this.#isWanted) resolve();
      });
    });
    this.#child.stdin?.on('error', (error) => onError(`the pipe to tc: ${error.message}`));
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.errors++;
      onError(oneLine(text));
    });
  }

  write(lines: readonly string[]): void {
    if (this.#hasEnded) return;
    this.commands += lines.length;
    this.#child.stdin?.write(lines.join('\n') + '\n');
  }

  /** Resolves when nothing is left at the interface. */
  end(): Promise<void> {
    this.#isWanted = false;
    this.#child.stdin?.end();
    return this.#ended;
  }
}
