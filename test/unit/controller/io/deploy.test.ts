import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { repositoryRoot } from '../../../../common/io/repository';
import { runController } from '../../../support/controller/run-controller';
import { TofinoTarget } from '../../../support/controller/tofino-target';
import { compilerOutput } from '../../../support/controller/compiler-output';
import { StratumChassis } from '../../../support/gnmi/stratum-chassis';

const PAGE = fs.readFileSync(path.join(repositoryRoot(), 'docs/deploy.md'), 'utf8');
const [, DOCUMENT = ''] = /```yaml\n([\s\S]*?)```/.exec(PAGE) ?? [];
const WIRING = new Map([
  ['1/0', 132],
  ['2/0', 140],
]);

/** The commands of a step as printed, without those before and after. */
const commandsOf = (step: string): readonly string[] => {
  const [, part = ''] = PAGE.split(`## ${step}`);
  const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(part) ?? [];
  return block.trimEnd().split('\n');
};

describe('the document and the commands of docs/deploy.md', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-deploy-'));
  const file = path.join(folder, 'rack.yaml');
  let target: TofinoTarget;
  const chassis: StratumChassis[] = [];
  beforeAll(async () => {
    compilerOutput(folder);
    target = await TofinoTarget.start(2);
    for (let i = 0; i < 2; i++) chassis.push(await StratumChassis.start(WIRING));
    const text = DOCUMENT.replaceAll(/192\.0\.2\.1\d:9559/g, target.address)
      .replace('192.0.2.11:9339', chassis[0]?.address ?? '')
      .replace('192.0.2.12:9339', chassis[1]?.address ?? '');
    fs.writeFileSync(file, text);
  });
  afterAll(async () => {
    await target.stop();
    for (const each of chassis) each.stop();
    fs.rmSync(folder, { recursive: true });
  });

  test('push nothing anywhere if one switch cannot be reached', async () => {
    const mute = path.join(folder, 'mute.yaml');
    const text = fs.readFileSync(file, 'utf8').replace(chassis[1]?.address ?? '', '127.0.0.1:1');
    fs.writeFileSync(mute, text);
    const { code, err } = await runController('chassis', '--push', '--deadline', '1', mute);
    expect([code, err]).toEqual([1, expect.stringContaining('gNMI at 127.0.0.1:1')]);
    expect(chassis.map(({ pushed }) => pushed.length)).toEqual([0, 0]);
  });

  test('push ports, load the program and fill it, and nothing is left to do or lacking', async () => {
    const printed: string[] = [];
    for (const line of commandsOf('3. Load and apply')) {
      const [, command = ''] = /^\.\/hpcc controller ([^#]*)/.exec(line) ?? [];
      const words = command.trim().replace('rack.yaml', file).split(/\s+/);
      const { code, out, err } = await runController(...words);
      expect([words[0], code, code === 0 ? '' : err]).toEqual([words[0], 0, '']);
      printed.push(out);
      const [, said] = /# "(.*)"$/.exec(line) ?? [];
      if (said !== undefined) expect(out).toBe(`${said}\n`);
    }
    expect(printed).toHaveLength(4);
    expect(printed[0]).toContain('name: "tor1"');
    expect(printed[1]).toBe('tor1: done\ntor2: done\n');
    const up = { speed: 'SPEED_100GB', enabled: true };
    for (const each of chassis)
      expect([...each.ports.values()]).toEqual([132, 140].map((port) => ({ port, ...up })));
    expect(target.configs.size).toBe(2);
  });
});
