import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseScenario } from '../../../emulator/scenario/schema';
import { ROOT } from '../../support/paths';
import { sectionsOf, takeDocuments, wordsOf } from '../documents';
import type { FuzzTarget } from '../target';

const texts = (): string[] => {
  const folder = path.join(ROOT, 'emulator', 'scenario', 'catalogue');
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => fs.readFileSync(path.join(folder, name), 'utf8').replace(/^\s*#.*\n/gm, ''));
};

const BYTES_MAX = 300;

const BASE = {
  name: 'a',
  title: 'A',
  topology: { kind: 'star', hosts: 2, rateGbps: 10, delayNs: 1 },
  flows: [],
};

export const target: FuzzTarget = {
  about: 'scenario documents (YAML)',
  bytesMax: BYTES_MAX,
  inSuite: 600,
  seeds: () => sectionsOf(texts(), BASE, BYTES_MAX).map((text) => Buffer.from(text)),
  dictionary: () => wordsOf(texts()),
  start: () => takeDocuments((text) => parseScenario(text, 'input')),
};
