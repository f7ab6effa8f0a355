import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { hpccHereIn } from '../../../support/command-line';
import { canMakeNamespaces, exchange, makeLeg, removeLeg } from '../../../support/live-network';
import { StartedGroup } from '../../../support/live/started-group';
import { describeIf } from '../../../support/requires';
import { FORWARDING } from '../../switch/support/forwarding';
import { bool, primitive, unary } from '../../switch/support/json-values';
import { alwaysRun, programText } from '../../switch/support/program';
import type { Leg } from '../../../../bench/live/test-bed';

let folder: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-group-'));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

describe('the document of a group', () => {
  async function refusalOf(text: string): Promise<string> {
    fs.writeFileSync(path.join(folder, 'group.yaml'), text);
    const { status, stderr } = await hpccHereIn(folder, 'group', 'group.yaml');
    expect(status).toBe(1);
    return stderr.trim();
  }

  test.each([
    [
      '{name: s1, run: [controller, apply]}',
      "group.yaml:1: nodes[0].run: node s1: a group runs switch, agent, send, not 'controller'",
    ],
    [
      '{name: s1, run: [switch]}, {name: s1, run: [agent]}',
      'group.yaml:1: nodes[1].name: there is another node s1',
    ],
    ['{name: s1}', 'group.yaml:1: nodes[0].run: is missing; wanted a list'],
    ['{name: s1, run: [switch], netns: 3}', 'group.yaml:1: nodes[0]: Unrecognized key: "netns"'],
  ])('%s is refused in one sentence', async (nodes, sentence) => {
    expect(await refusalOf(`nodes: [${nodes}]`)).toBe(`hpcc: ${sentence}`);
  });

  test('and a file that is not there, or none at all', async () => {
    const { stderr } = await hpccHereIn(folder, 'group', '/nonexistent');
    expect(stderr).toMatch(/^hpcc: group \/nonexistent cannot be read: ENOENT.*\n$/);
    const none = await hpccHereIn(folder, 'group');
    expect(none.stderr).toBe('hpcc: give a file with nodes, or --commands\n');
  });
});

const read = (file: string): string => fs.readFileSync(path.join(folder, file), 'utf8');

function programFile(name: string, text: string): string {
  fs.writeFileSync(path.join(folder, name), text);
  return name;
}

/** A frame that the forwarding program sends to port 2. */
const FRAME = Uint8Array.from({ length: 60 }, (_, i) => (i === 0 ? 2 : i));
const REPORTED = 34 + FRAME.length;

describeIf(canMakeNamespaces(), 'nodes of a group', 'needs root and ip netns', () => {
  let group: StartedGroup;
  let legs: Leg[];

  beforeEach(() => {
    legs = [];
    group = new StartedGroup(folder, []);
  });

  afterEach(async () => {
    group.child.kill('SIGTERM');
    await group.ended;
    legs.forEach(removeLeg);
  });

  function leg(): Leg {
    const made = makeLeg();
    legs.push(made);
    return made;
  }

  /** A switch with two ports, and what leads to them. */
  async function startSwitch(name: string, program: string): Promise<[Leg, Leg]> {
    const ends: [Leg, Leg] = [leg(), leg()];
    const ports = ends.flatMap(({ outer }, i) => ['-i', `${i + 1}@${outer}`]);
    const servers = ['--thrift-port', '0', '--', '--grpc-server-addr', '127.0.0.1:0'];
    group.start(name, ['switch', program, '--log-console', ...ports, ...servers]);
    await group.wrote(`${name}.out`, /P4Runtime listens/);
    return ends;
  }

  const forwards = async ([from, to]: [Leg, Leg]): Promise<number[]> =>
    (await exchange([FRAME], { from, to })).map(({ length }) => length);

  test('a switch whose program fails ends alone, and starts again under its name', async () => {
    const good = programFile('good.json', programText(FORWARDING));
    const body = [primitive('assert', unary('b2d', bool(false)))];
    const ingress = alwaysRun({ id: 1, name: 'fail', body });
    const bad = programFile('bad.json', programText({ ...FORWARDING, ingress }));
    const first = await startSwitch('s1', good);
    const second = await startSwitch('s2', bad);
    // It looks at the first frame.
    const [from, to] = second;
    void exchange([FRAME], { from, to, wanted: 0 });
    expect(await group.event({ node: 's2', event: 'ended' })).toEqual(
      expect.objectContaining({ exitCode: 1, signal: null }),
    );
    expect(read('s2.err')).toContain('assertion of the program fails');
    expect(await forwards(first)).toEqual([REPORTED]);
    expect(await forwards(await startSwitch('s2', good))).toEqual([REPORTED]);
    expect(await forwards(first)).toEqual([REPORTED]);
  });

  test('an interface that vanishes leaves the other switches forwarding', async () => {
    const program = programFile('good.json', programText(FORWARDING));
    const first = await startSwitch('s1', program);
    const [gone] = await startSwitch('s2', program);
    removeLeg(gone);
    await group.wrote('s2.out', /Port 1 is down/);
    expect(await forwards(first)).toEqual([REPORTED]);
    group.tell({ signal: 'SIGTERM', node: 's1' });
    expect(await group.event({ node: 's1', event: 'ended' })).toEqual(
      expect.objectContaining({ exitCode: 0 }),
    );
    expect(JSON.parse(read('s1.out').trim().split('\n').at(-1) ?? '')).toMatchObject({
      received: 1,
      sent: 1,
    });
  });

  test('hosts live in their own namespaces, and a transfer between two of them arrives', async () => {
    const { namespace, inner, outer } = leg();
    const host = (own: string): string[] => ['--address', own, '--base-rtt-us', '1000'];
    const receive = ['agent', '-i', inner, ...host('10.9.0.1'), '--metrics', '127.0.0.1:0'];
    group.start('h1', receive, { namespace: `/run/netns/${namespace}` });
    await group.wrote('h1.err', /"msg":"ready"/);
    // No switch is between them, and so no telemetry.
    const to = ['--peer-mac', '02:00:00:00:00:01', '-n', '300K', '--algorithm', 'none', '--json'];
    group.start('h2', ['send', '10.9.0.1', '-i', outer, ...host('10.9.0.2'), ...to]);
    const end = await group.event({ node: 'h2', event: 'ended' });
    expect(end).toEqual(expect.objectContaining({ exitCode: 0 }));
    const report = JSON.parse(read('h2.out')) as { sent: { total: { bytes: number } } };
    expect(report.sent.total.bytes).toBe(300_000);
    // Its server is in its namespace, too.
    const [, port] = await group.wrote('h1.err', /"port":(\d+),"msg":"metrics are served"/);
    const listening = spawnSync('ip', ['netns', 'exec', namespace, 'ss', '-Htln'], {
      encoding: 'utf8',
    });
    expect(listening.stdout).toContain(`127.0.0.1:${port ?? ''}`);
  });

  test('what cannot be started is told by name, and hinders nobody', async () => {
    group.start('h1', ['agent', '-i', 'no-such-one']);
    await group.event({ node: 'h1', event: 'ended', exitCode: 1 });
    expect(read('h1.err')).toBe(
      "hpcc: no network interface 'no-such-one' (ip link lists those that exist)\n",
    );
    group.start('h2', ['agent', '-i', 'lo'], { namespace: '/run/netns/no-such-one' });
    await group.event({ node: 'h2', event: 'ended', exitCode: 1 });
    expect(read('h2.err')).toContain('node h2: network namespace /run/netns/no-such-one: ENOENT');
    group.start('h3', ['agent', '-i', 'lo', '--user', 'nobody']);
    await group.event({ node: 'h3', event: 'ended', exitCode: 1 });
    expect(read('h3.err')).toContain('--user nobody: only a host that has a process of its own');
    group.start('h4', ['demo']);
    await group.event({
      event: 'refused',
      reason: "node h4: a group runs switch, agent, send, not 'demo'",
    });
    group.start('h4', ['toString']);
    await group.event({
      event: 'refused',
      reason: "node h4: a group runs switch, agent, send, not 'toString'",
    });
    group.tell({ start: { name: 'h5', run: [] } });
    await group.event({
      event: 'refused',
      reason: 'node h5: run: Too small: expected array to have >=1 items',
    });
    group.start('s1', ['switch', '--no-such-flag']);
    await group.event({ node: 's1', event: 'ended', exitCode: 1 });
    expect(read('s1.err')).toContain('unknown flag --no-such-flag');
  });

  test('what cannot be started keeps no file open', async () => {
    const nowhere = path.join(folder, 'no-such-folder', 'h1.err');
    group.start('h1', ['agent', '-i', 'lo'], { stderr: nowhere });
    await group.event({
      event: 'refused',
      reason: `node h1: ${nowhere} cannot be written: ENOENT: no such file or directory, open '${nowhere}'`,
    });
    const descriptors = `/proc/${String(group.child.pid)}/fd`;
    const open = fs.readdirSync(descriptors).map((fd) => {
      try {
        return fs.readlinkSync(path.join(descriptors, fd));
      } catch {
        return '';
      }
    });
    expect(open.filter((file) => file.startsWith(folder))).toEqual([]);
  });

  test('all end when whoever gives commands has gone', async () => {
    await startSwitch('s1', programFile('good.json', programText(FORWARDING)));
    group.child.stdin?.end();
    expect(await group.ended).toBe(0);
    expect(read('s1.out').trim().split('\n').at(-1)).toContain('"received":0');
  });
});
