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
  const sent = await framesOf(sentFile);
  const returned = await framesOf(returnedFile);
  if (sent.length === 0) throw new InputError(`${sentFile}: wanted frames, found none`);
  const judged = sent.flatMap((frame, i) => {
    const back = returned[i];
    const of = {
      frame: i + 1,
      sent: bytesText(frame),
      returned: back === undefined ? null : bytesText(back),
    };
    return judgeTransit(frame, back).map((verdict) => ({ ...verdict, ...of }));
  });
  if (asJson) for (const line of judged) print(JSON.stringify(line));
  else printTap(judged);
  const extra = returned.length - sent.length;
  if (extra > 0) note(`${extra} more frames came back than were sent; they are not judged`);
  const failed = judged.filter(({ verdict }) => verdict === 'fail').length;
  note(`${judged.length} clauses judged, ${failed} failed`);
  if (failed > 0 || extra > 0) process.exitCode = 1;
}

/** Test Anything Protocol, version 13; a failure has both frames. */
function printTap(judged: readonly (Verdict & JudgedFrame)[]): void {
  print(`TAP version 13\n1..${judged.length}`);
  for (const [i, { clause, section, verdict, reason, frame, sent, returned }] of judged.entries()) {
    const skip = verdict === 'not applicable' ? ' # SKIP not applicable' : '';
    print(
      `${verdict === 'fail' ? 'not ok' : 'ok'} ${i + 1} - frame ${frame}: ${clause} (${section})${skip}`,
    );
    if (verdict !== 'fail') continue;
    print(
      `  ---\n  reason: ${JSON.stringify(reason)}\n  sent: ${sent}\n  returned: ${returned ?? 'none'}\n  ...`,
    );
  }
}

async function framesOf(capture: string): Promise<Uint8Array[]> {
  const frames: Uint8Array[] = [];
  for await (const batch of captureBatches(capture)) {
    for (const { bytes } of batch) frames.push(bytes.slice());
  }
  return frames;
}
