import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Command } from 'commander';
import { commandLine } from '../../../cli/command-line';
import { hpccHere } from '../../support/command-line';

/** Documents that no command is for, or only some are, by their name. */
const DOCUMENTS: Readonly<Record<string, string | Buffer>> = {
  'empty.json': '',
  'blank.yaml': '\n\n  \n',
  'zeros.et': Buffer.alloc(64),
  'ones.bin': Buffer.alloc(64, 0xff),
  'open.json': '{',
  'list.json': '[]',
  'null.json': 'null',
  'text.json': '"text"',
  'items.yaml': '- a\n- b\n',
  'circle.yaml': 'a: &a [*a]\n',
  'deep.json': '['.repeat(20_000) + ']'.repeat(20_000),
  'deep-objects.json': `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  'prototype.json': '{"__proto__":{"x":1},"constructor":1}',
  'infinite.json': '{"name":1e999}',
  'utf16.yaml': Buffer.from('\ufeffname: x\n', 'utf16le'),
  'twice.yaml': 'a: 1\na: 2\n',
  'page.html': '<!DOCTYPE html><html><body>404</body></html>',
  'topology.txt': '3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n',
  'binary.goal': Buffer.from('7f10000000000000ffffffff0101', 'hex'),
  'cut.pcap': Buffer.from('d4c3b2a1020004000000000000000000ffff00000100000000000000', 'hex'),
  'cut.csv.gz': Buffer.from('1f8b0800000000000003', 'hex'),
  'meta.json': '{"__meta__":{"version":[2,18]}}',
  'result.json': '{"schema":"hpcc-result/1"}',
  'half.yaml': 'name: x\ntitle: y\ntopology: { kind: star, hosts: 2 }\n',
  'program.xml': '<algo name="x"></algo>',
  'simai.txt': 'HYBRID_TRANSFORMER model_parallel_NPU_group: 0 ep: 0 pp: 0 all_gpus: 0\n1\n',
  'none.topo': 'Nodes 0\nTiers 3\nPodsize 0\n',
  'program.js': 'module.exports = 1;',
};

/** Commands that take no document, or no document of this machine. */
const WITHOUT_DOCUMENT =
  /^hpcc (?:demo|bench|test|docs|proto|p4 .*|study worker|controller gnmi .*)$/;
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
  for (const [name, text] of Object.entries(DOCUMENTS)) fs.writeFileSync(at(name), text);
  fs.mkdirSync(at('folder'));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));
const FILES = [...Object.keys(DOCUMENTS), 'folder', 'missing.json'];

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
