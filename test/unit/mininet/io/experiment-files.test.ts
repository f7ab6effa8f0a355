import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import {
  experimentNames,
  readExperiment,
  readTopology,
} from '../../../../mininet/io/experiment-files';

describe('experiments as files', () => {
  test('those that come with the project are known by name', () => {
    expect(experimentNames()).toEqual([
      'capacity',
      'coordination',
      'coordination-sampled',
      'fast-feedback',
      'fast-feedback-signed',
      'fat-tree',
      'incast',
      'int',
      'ioam',
      'join-leave',
      'link-failure',
      'loops',
      'mice-elephants',
      'notification',
      'parking-lot',
      'path-selection',
      'probe-only',
      'receiver-based',
      'receiver-probe',
      'signed',
      'single-flow',
      'spray',
      'switch-spray',
      'tcp',
      'two-classes',
      'two-nics',
      'usid-paths',
      'weighted-classes',
    ]);
  });

  test('an unknown name brings the nearest one, and all', () => {
    expect(() => readExperiment('single-flo')).toThrow(
      /no experiment 'single-flo' \(did you mean single-flow\?\): neither a file nor one of capacity, /,
    );
    expect(() => readTopology('chian', 'x.yaml')).toThrow(
      /no topology 'chian' \(did you mean chain\?\)/,
    );
  });

  test('a topology may lie beside the experiment', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-mininet-'));
    try {
      fs.writeFileSync(path.join(folder, 'own.yaml'), 'network: own\n');
      const { text } = readTopology('own.yaml', path.join(folder, 'experiment.yaml'));
      expect(text).toBe('network: own\n');
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});
