import * as fs from 'node:fs';
import * as path from 'node:path';
import { FIGURES } from '../../../../mininet/experiment/experiment';
import { loadCases } from '../../../../mininet/experiment/load-experiment';
import { prepareCase } from '../../../../mininet/io/run-case';
import { ROOT } from '../../../support/paths';

const PAGE = fs.readFileSync(path.join(ROOT, 'docs', 'experiment-yaml.md'), 'utf8');

describe('the page of the YAML of experiments', () => {
  test('names all figures', () => {
    for (const figure of FIGURES) expect(PAGE).toContain(`\`${figure}\``);
  });

  test('begins with an experiment that can be run', () => {
    const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(PAGE) ?? [];
    const file = path.join(ROOT, 'docs', 'experiment-yaml.md');
    const [own, ...others] = loadCases({ file, text }, { kind: 'embedded', set: [] });
    expect([own?.document.experiment, others]).toEqual(['my-first', []]);
    if (own === undefined) throw new Error('there is no case');
    const programs = {
      hpcc: ['hpcc'],
      bmv2: 'simple_switch_grpc',
      kind: 'embedded' as const,
      separate: false,
    };
    const setting = { programs, pcap: false, experimentFile: file, folder: 'out' };
    const { plan } = prepareCase(own, setting);
    expect(plan.switches.map(({ name }) => name)).toEqual(['s1', 's2']);
  });
});
