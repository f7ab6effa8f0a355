import * as fs from 'node:fs';
import * as path from 'node:path';
import { InputError } from '../../../common/errors';
import { repositoryRoot } from '../../../common/io/repository';
import type { PageAssets } from '../../view/data/static-page';

/**
 * Script and style that pages carry in themselves.
 * @throws InputError when the build has not made them.
 */
export function pageAssets(): PageAssets {
  const folder = path.join(repositoryRoot(), process.env['HPCC_BUILD'] ?? 'build', ...VIEW);
  const read = (...name: readonly string[]): string => {
    const file = path.join(folder, ...name);
    try {
      return fs.readFileSync(file, 'utf8');
    } catch {
      throw new InputError(`${file} is missing: npm run build makes it`);
    }
  };
  const script = [read('picture', 'echarts.js'), read('page', 'page.js')].join('\n');
  return { script, style: read('page', 'page.css') };
}

const VIEW = ['emulator', 'view'];
