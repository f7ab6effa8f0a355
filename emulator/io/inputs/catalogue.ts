import * as fs from 'node:fs';
import * as path from 'node:path';
import { readYaml } from '../../../common/document/yaml-text';
import { repositoryRoot } from '../../../common/io/repository';

const folder = (): string => path.join(repositoryRoot(), 'emulator', 'scenario', 'catalogue');

/** Names of the scenarios that come with the project. */
export function scenarioNames(): string[] {
  return fs
    .readdirSync(folder())
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => path.basename(file, '.yaml'))
    .sort();
}

export const catalogueFile = (name: string): string => path.join(folder(), `${name}.yaml`);

/** The line of its own that each scenario of the catalogue has for its title. */
const TITLE = /^title: .*$/m;

/** Names and titles of these scenarios. PERF: to read and check them all takes a third of a second. */
export function scenarioTitles(): [name: string, title: string][] {
  return scenarioNames().map((name) => {
    const [line = ''] = TITLE.exec(fs.readFileSync(catalogueFile(name), 'utf8')) ?? [];
    const { title } = readYaml(line, name).value as { readonly title: string };
    return [name, title];
  });
}
