import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { checkConformance } from '../../host-agent/algorithm/library/conformance';
import { loadAlgorithm } from '../../host-agent/io/options/load-algorithm';
import { hpccHereIn } from '../support/command-line';
import { algorithmFolder } from '../support/custom-algorithm';
import { ENDED_ESCAPES, escapeText, REFUSED_ESCAPES } from '../support/escapes';
import type { Escape } from '../support/escapes';
import { keptCommand } from '../support/own-command';
import { sampled } from '../support/sampled';

const folder = algorithmFolder();

afterAll(() => fs.rmSync(folder, { recursive: true }));

/** Writes the file of a try; names are of their own, as files keep their rights. */
function fileOf(escape: Escape): string {
  const file = path.join(folder, `${escape.name.replaceAll(/\W+/g, '-')}.mjs`);
  fs.writeFileSync(file, escapeText(escape));
  return file;
}

/** Sentence that the first call or the loading ends with. */
async function sentence(escape: Escape): Promise<string | undefined> {
  const file = fileOf(escape);
  try {
    const results = checkConformance(await loadAlgorithm(file));
    return results.find(({ problem }) => problem !== undefined)?.problem;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Where something else than the command ends its process. */
function command(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, keptCommand(...words), {
    cwd: folder,
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { status, stdout, stderr };
}

const here = (...words: string[]) => hpccHereIn(folder, ...words);

describe('attack 8: an algorithm of a file has no rights', () => {
  test.each(REFUSED_ESCAPES)('$name is refused', async (escape) => {
    const said = await sentence(escape);
    expect(said).toMatch(escape.said);
    expect(said?.split('\n')).toHaveLength(1);
  });

  test.each(sampled('escapes that something else ends', ENDED_ESCAPES, 3))(
    '$name ends with one sentence and code 1',
    (escape) => {
      const { status, stderr } = command('algorithm', 'check', fileOf(escape));
      expect(stderr).toMatch(escape.said);
      expect([status, stderr.trim().split('\n').length]).toEqual([1, 1]);
    },
  );

  const COMMANDS = [
    ['run', ['run', 'single-flow', '--no-check', '--algorithm']],
    ['compare', ['compare', 'single-flow', '--no-check', '--algorithms']],
  ] as const;
  test.each(sampled('commands', COMMANDS, 2))(
    'a loop, an exit and an endless wait end %s',
    async (_name, words) => {
      const looping: Escape = {
        name: 'looping',
        onAck: 'for (;;);',
        said: /a call has not returned for/,
      };
      const ended = command(...words, fileOf(looping));
      expect([ended.status, ended.stderr]).toEqual([1, expect.stringMatching(looping.said)]);
      const tries: Escape[] = [
        { name: 'exiting', onAck: 'process.exit(0);', said: /process is not defined/ },
        { name: 'waiting', top: 'await new Promise(() => {});', said: /awaits where nobody waits/ },
      ];
      for (const escape of tries) {
        const { status, stderr } = await here(...words, fileOf(escape));
        expect([escape.name, status]).toEqual([escape.name, 1]);
        expect(stderr).toMatch(escape.said);
      }
    },
  );

  test('is given them by --trust, which waits for no file for ever', async () => {
    const file = fileOf({
      name: 'trusted',
      top: `import fs from 'node:fs'; fs.readdirSync('.'); Date.now();`,
      said: /other files/,
    });
    expect((await here('algorithm', 'check', file)).status).toBe(1);
    const trusted = await here('algorithm', 'check', '--trust', file);
    expect(trusted).toMatchObject({ status: 0, stderr: '' });
    const waiting = fileOf({
      name: 'trusted-wait',
      top: 'await new Promise(() => {});',
      said: /./,
    });
    expect(command('algorithm', 'check', '--trust', waiting)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('awaits at its top level') as string,
    });
  });

  test.each(['run', 'compare'])(
    'is given them by %s --trust where only a variant names it',
    async (name) => {
      const file = fileOf({
        name: `trusted-variant-of-${name}`,
        top: `import fs from 'node:fs'; fs.readdirSync('.');`,
        said: /other files/,
      });
      const scenario = path.join(folder, 'variants.yaml');
      fs.writeFileSync(
        scenario,
        `name: variants
title: Two algorithms
topology: { kind: star, hosts: 3, rateGbps: 100, delayNs: 1000 }
flows: [{ from: h2, to: h1, bytes: 20000, startUs: 0 }]
sideBySide: [own, file]
variants:
  own: {}
  file: { parameters: { algorithm: ${file} } }
`,
      );
      // What was trusted once keeps its rights in a process, so this comes first.
      const { status, stderr } = await here(name, scenario);
      expect([status, stderr]).toEqual([1, expect.stringContaining('takes other files in')]);
      expect(await here(name, scenario, '--trust')).toMatchObject({ status: 0, stderr: '' });
    },
  );

  test('is given none by --trust where there is no file', async () => {
    expect(await here('run', 'single-flow', '--trust')).toMatchObject({
      status: 1,
      stderr: 'hpcc: --trust is for algorithms of files: hpccpp is none\n',
    });
  });
});
