import { print } from '../../common/io/terminal';
import { bytesText } from '../../common/telemetry/craft/values';
import type { Verdict } from '../../common/telemetry/judge/clause';
import type { Exchange } from '../../common/telemetry/judge/passage';

/** A verdict with the frames that it is about. */
export interface JudgedClause extends Verdict {
  readonly frame: number;
  readonly sent: string;
  readonly returned: string | null;
  readonly reported?: string;
}

/** Joins verdicts of an exchange with its frames. */
export function judgedClauses(
  frame: number,
  { sent, returned, reports }: Exchange,
  verdicts: readonly Verdict[],
): readonly JudgedClause[] {
  const [back] = returned;
  const [report] = reports ?? [];
  const frames = {
    frame,
    sent: bytesText(sent),
    returned: back === undefined ? null : bytesText(back),
    ...(report !== undefined && { reported: bytesText(report) }),
  };
  return verdicts.map((verdict) => ({ ...verdict, ...frames }));
}

/** Prints verdicts as they come: lines of JSON, or the Test Anything Protocol, version 13. */
export class VerdictPrinter {
  #count = 0;
  failed = 0;
  readonly #asJson: boolean;

  constructor(asJson: boolean) {
    this.#asJson = asJson;
    if (!asJson) print('TAP version 13');
  }

  get count(): number {
    return this.#count;
  }

  add(judged: JudgedClause): void {
    this.#count += 1;
    if (judged.verdict === 'fail') this.failed += 1;
    print(this.#asJson ? JSON.stringify(judged) : tapText(this.#count, judged));
  }

  end(): void {
    if (!this.#asJson) print(`1..${this.#count}`);
  }
}

/** A failure has the frames. */
function tapText(number: number, judged: JudgedClause): string {
  const { clause, section, verdict, reason, frame } = judged;
  const skip = verdict === 'not applicable' ? ' # SKIP not applicable' : '';
  const word = verdict === 'fail' ? 'not ok' : 'ok';
  const line = `${word} ${number} - frame ${frame}: ${clause} (${section})${skip}`;
  if (verdict !== 'fail') return line;
  return [line, '---', `reason: ${JSON.stringify(reason)}`, ...frameLines(judged), '...'].join(
    '\n  ',
  );
}

const frameLines = ({ sent, returned, reported }: JudgedClause): readonly string[] => [
  `sent: ${sent}`,
  `returned: ${returned ?? 'none'}`,
  ...(reported === undefined ? [] : [`reported: ${reported}`]),
];

/** The verdicts as a document of JUnit, which CI systems read: a test case for each clause and frame. */
export function junitText(name: string, verdicts: readonly JudgedClause[]): string {
  const count = (wanted: Verdict['verdict']): number =>
    verdicts.filter(({ verdict }) => verdict === wanted).length;
  const cases = verdicts.map((judged) => {
    const { clause, section, frame, verdict, reason = '' } = judged;
    const head = `    <testcase classname="frame ${frame}" name="${escaped(`${clause} (${section})`)}"`;
    if (verdict === 'pass') return `${head}/>`;
    if (verdict === 'not applicable') return `${head}><skipped/></testcase>`;
    const text = escaped(frameLines(judged).join('\n'));
    return `${head}><failure message="${escaped(reason)}">${text}</failure></testcase>`;
  });
  const numbers = `tests="${verdicts.length}" failures="${count('fail')}" skipped="${count('not applicable')}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${escaped(name)}" ${numbers}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Text of an attribute or an element. */
const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter);
