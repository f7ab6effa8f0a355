import * as fs from 'node:fs';
import * as path from 'node:path';
import { readTextFile } from '../../../common/io/bounded-file';
import { InputError } from '../../../common/errors';
import { repositoryRoot } from '../../../common/io/repository';
import { SizeDistribution, parseSizePoints } from '../../workload/size-distribution';
import type { SizePoint } from '../../workload/size-distribution';

const shipped = (): string => path.join(repositoryRoot(), 'emulator', 'workload', 'distributions');

/** Names of the distributions of flow sizes that come with the project. */
export function distributionNames(): string[] {
  return fs
    .readdirSync(shipped())
    .filter((file) => file.endsWith('.txt'))
    .map((file) => path.basename(file, '.txt'))
    .sort();
}

/**
 * The points of a distribution of flow sizes: one that comes with the project by its name, or a file.
 * @throws InputError for one that does not exist or is no distribution, with its line.
 */
export function readDistribution(nameOrPath: string, folder: string): SizePoint[] {
  const isShipped = distributionNames().includes(nameOrPath);
  const file = isShipped
    ? path.join(shipped(), `${nameOrPath}.txt`)
    : path.resolve(folder, nameOrPath);
  let text: string;
  try {
    text = readTextFile(file);
  } catch {
    const names = distributionNames().join(', ');
    throw new InputError(`no distribution '${nameOrPath}': neither a file nor one of ${names}`);
  }
  const points = parseSizePoints(text, nameOrPath);
  new SizeDistribution(points, nameOrPath);
  return points;
}
