import * as fs from 'node:fs';
import * as path from 'node:path';
import { InputError } from '../../common/errors';
import { repositoryRoot } from '../../common/io/repository';
import type { PageAssets } from '../view/data/static-page';

/**
 * Script and style that pages carry in themselves.
 * @throws InputError when the build has not made them.
 */
export function pageAssets(): PageAssets {
  const folder = path.join(repositoryRoot(), process.env['HPCC_BUILD'] ?? 'build', ...PAGE);
  const read = (name: string): string => {
    try {
      return fs.readFileSync(path.join(folder, name), 'utf8');
    } catch {
      throw new InputError(`${path.join(folder, name)} is missing: npm run build makes it`);
    }
  };
  return { script: read('page.js'), style: read('page.css') };
}

const PAGE = ['emulator', 'view', 'page'];
