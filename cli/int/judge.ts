import type { Command } from 'commander';
import { Option } from 'commander';
import { InputError } from '../../common/errors';
import { note, print } from '../../common/io/terminal';
import { bytesText } from '../../common/telemetry/craft/values';
import { judgeTransit } from '../../common/telemetry/judge/transit-clauses';
import type { Verdict } from '../../common/telemetry/judge/transit-clauses';
import { captureBatches } from '../decode/frame-source';

export function registerJudge(parent: Command): void {
  parent
    .command('judge')
    .summary('judge what a transit hop of INT-MD 2.1 made of packets')
    .description(
      'Compares the frames that went into a device with those that came out, in their order, clause by clause of ' +
        'the specification for transit hops of INT-MD 2.1. Prints TAP, or JSON lines. Exits with 1 when a clause fails.',
    )
    .argument('<sent>', 'capture of what went in')
    .argument('<returned>', 'capture of what came out')
    .addOption(new Option('--json', 'print JSON, a line per clause and packet'))
    .action((sent: string, returned: string, { json }: { json?: true }) =>
      judge(sent, returned, json === true),
    );
}

interface JudgedFrame {
  readonly frame: number;
  readonly sent: string;
  readonly returned: string | null;
}

async function judge(sentFile: string, returnedFile: string, asJson: boolean): Promise<void> {
  const returned = framesOf(returnedFile);
  let [frames, clauses, failed] = [0, 0, 0];
  if (!asJson) print('TAP version 13');
  for await (const frame of framesOf(sentFile)) {
    frames += 1;
    const back = await returned.next();
    const of = {
      frame: frames,
      sent: bytesText(frame),
      returned: back.done === true ? null : bytesText(back.value),
    };
    for (const verdict of judgeTransit(frame, back.done === true ? undefined : back.value)) {
      clauses += 1;
      if (verdict.verdict === 'fail') failed += 1;
      const judged = { ...verdict, ...of };
      print(asJson ? JSON.stringify(judged) : tapText(clauses, judged));
    }
  }
  if (!asJson) print(`1..${clauses}`);
  if (frames === 0) throw new InputError(`${sentFile}: wanted frames, found none`);
  let extra = 0;
  while ((await returned.next()).done !== true) extra += 1;
  if (extra > 0) note(`${extra} more frames came back than were sent; they are not judged`);
  note(`${clauses} clauses judged, ${failed} failed`);
  if (failed > 0 || extra > 0) process.exitCode = 1;
}

/** Lines of the Test Anything Protocol, version 13; a failure has both frames. */
function tapText(number: number, judged: Verdict & JudgedFrame): string {
  const { clause, section, verdict, reason, frame, sent, returned } = judged;
  const skip = verdict === 'not applicable' ? ' # SKIP not applicable' : '';
  const word = verdict === 'fail' ? 'not ok' : 'ok';
  const line = `${word} ${number} - frame ${frame}: ${clause} (${section})${skip}`;
  if (verdict !== 'fail') return line;
  const frames = [`sent: ${sent}`, `returned: ${returned ?? 'none'}`];
  return [line, '---', `reason: ${JSON.stringify(reason)}`, ...frames, '...'].join('\n  ');
}

async function* framesOf(capture: string): AsyncGenerator<Uint8Array, undefined> {
  for await (const batch of captureBatches(capture)) {
    for (const { bytes } of batch) yield bytes.slice();
  }
  return undefined;
}
