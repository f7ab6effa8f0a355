import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Command } from 'commander';
import { commandLine } from '../../../cli/command-line';
import { hpccHere } from '../../support/command-line';
import { WRONG_DOCUMENTS } from '../../support/wrong-documents';

/**
 * Commands that take no document, or no document of this machine, and one that speaks over standard input, whose own
 * suite has these documents.
 */
const WITHOUT_DOCUMENT =
  /^hpcc (?:demo|bench|test|docs|proto|p4 .*|study worker|controller gnmi .*|network-backend)$/;
/** Options that name a document to be read, and what is given beside them. */
const READING: Readonly<Record<string, readonly string[]>> = {
  '--topology': ['--flows', 'topology.txt'],
  '--flows': ['--topology', 'topology.txt'],
  '--workload': [],
  '--placement': ['--workload', 'program.js'],
  '--keys': [],
  '--coordination': [],
  '--study': [],
  '--set-up': [],
  '--program': [],
};

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-wrong-'));
const at = (name: string): string => path.join(folder, name);
beforeAll(() => {
  for (const [name, text] of Object.entries(WRONG_DOCUMENTS)) fs.writeFileSync(at(name), text);
  fs.mkdirSync(at('folder'));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));
const FILES = [...Object.keys(WRONG_DOCUMENTS), 'folder', 'missing.json'];

function leaves(command: Command, before: readonly string[] = []): [string, Command][] {
  return command.commands.flatMap((each) => {
    const words = [...before, each.name()];
    const own: [string, Command][] =
      each.registeredArguments.length > 0 || each.commands.length === 0
        ? [[`hpcc ${words.join(' ')}`, each]]
        : [];
    return [...own, ...leaves(each, words)];
  });
}

/** Every way to hand a document to a command. */
function callsOf(words: readonly string[], command: Command): ((file: string) => string[])[] {
  const places = command.registeredArguments;
  const options = command.options.flatMap(({ long }) =>
    long !== undefined && Object.hasOwn(READING, long) ? [long] : [],
  );
  return [
    ...(places.length === 0
      ? []
      : [
          (file: string) => [
            ...words,
            ...places.map((place) => (place.name() === 'kind' ? 'tables' : file)),
          ],
        ]),
    ...options.map((option) => (file: string) => [
      ...words,
      ...(words[0] === 'send' ? ['127.0.0.1'] : []),
      ...(READING[option] as readonly string[]).map((each) =>
        each.startsWith('--') ? each : at(each),
      ),
      option,
      file,
    ]),
  ];
}

test.each(leaves(commandLine()).filter(([name]) => !WITHOUT_DOCUMENT.test(name)))(
  '%s ends a wrong document in a sentence, not in a stack trace',
  async (name, command) => {
    const calls = callsOf(name.split(' ').slice(1), command);
    for (const call of calls) {
      for (const file of FILES) {
        const args = call(at(file));
        const { status, stderr, stdout } = await hpccHere(...args).catch((error: unknown) => {
          throw new Error(`${args.join(' ')}: ${(error as Error).stack ?? String(error)}`);
        });
        expect(`${args.join(' ')}: ${stderr}`).not.toMatch(/\n {4}at |TypeError|ZodError/);
        // Refused in words, or read; `results` of nothing go to stdout.
        if (status !== 0) expect([args, `${stderr}${stdout}`.trim()]).not.toEqual([args, '']);
      }
    }
  },
  120_000,
);

test('the list covers the commands that read documents', () => {
  const covered = leaves(commandLine()).filter(([name]) => !WITHOUT_DOCUMENT.test(name));
  expect(covered.length).toBeGreaterThan(30);
});
