import { ALL_FLAGS } from '../../../../../switch/io/flags/flag-table';
import { flagHelp } from '../../../../../switch/io/run-switch';
import { readSwitchFlags } from '../../../../../switch/io/flags/switch-flags';
import type { SwitchFlags } from '../../../../../switch/io/flags/switch-flags';

function flagsOf(...argv: readonly string[]): SwitchFlags {
  const request = readSwitchFlags(argv);
  if (request.kind !== 'run') throw new Error(`wanted a run, found ${request.kind}`);
  return request.flags;
}

describe('the command line of the switch', () => {
  test('has the defaults of simple_switch_grpc, but listens on the loopback', () => {
    expect(flagsOf('--no-p4')).toEqual({
      interfaces: new Map(),
      programFile: undefined,
      deviceId: 0,
      thriftPort: 9090,
      thriftPortRequired: false,
      grpcAddress: '127.0.0.1:9559',
      thriftAddress: '127.0.0.1',
      limits: new Map(),
      tls: undefined,
      logToConsole: false,
      logFile: undefined,
      logLevel: 'trace',
      pcapFolder: undefined,
      filesDelay: undefined,
      dataplaneAddress: undefined,
      priorityQueues: 1,
      dropPort: 511,
      cpuPort: undefined,
      linkRates: new Map(),
      queueDepths: new Map(),
      queueWeights: new Map(),
      clockUnitNs: 1000,
      queueUnitBytes: undefined,
      compatible: 'specification',
      executor: 'generated',
      warnings: [],
    });
  });

  test('takes what Mininet scripts start it with', () => {
    const flags = flagsOf(
      '-i',
      '1@s1-eth1',
      '-i',
      '2@s1-eth2',
      '--pcap',
      '--nanolog',
      'ipc:///tmp/log.ipc',
      '--device-id',
      '1',
      'basic.json',
      '--log-console',
      '--thrift-port',
      '9091',
      '--',
      '--grpc-server-addr',
      '0.0.0.0:50051',
      '--cpu-port',
      '255',
    );
    expect(flags).toMatchObject({
      interfaces: new Map([
        [1, 's1-eth1'],
        [2, 's1-eth2'],
      ]),
      programFile: 'basic.json',
      deviceId: 1,
      thriftPort: 9091,
      thriftPortRequired: true,
      grpcAddress: '0.0.0.0:50051',
      cpuPort: 255,
      pcapFolder: '.',
      logToConsole: true,
    });
    expect(flags.warnings).toEqual([
      '--nanolog has no effect here: there is no nanomsg; see --log-console and --log-file',
    ]);
  });

  test('selects bits per second for single ports', () => {
    const { linkRates } = flagsOf(
      '--no-p4',
      '--link-rate-bps',
      '1=1e9',
      '--link-rate-bps',
      '2=2500000',
    );
    expect(linkRates).toEqual(
      new Map([
        [1, 1e9],
        [2, 2.5e6],
      ]),
    );
  });

  test('gives queues of links their weights', () => {
    const with1 = ['--no-p4', '--priority-queues', '2', '--link-rate-bps', '1=1e9'];
    const { queueWeights } = flagsOf(...with1, '--queue-weight', '1=3', '--queue-weight', '0=1');
    expect([...queueWeights]).toEqual([
      [1, 3],
      [0, 1],
    ]);
    const given =
      (...more: string[]) =>
      () =>
        flagsOf(...with1, ...more);
    expect(given('--queue-weight', '2=1')).toThrow('there is no queue 2; see --priority-queues');
    expect(given('--queue-weight', '1=256')).toThrow("from 1 to 255, such as 1=3, not '1=256'");
    expect(given('--queue-weight', '1=3', '--buffer-bytes', '1e6')).toThrow('exclude each other');
    expect(() => flagsOf('--no-p4', '--queue-weight', '0=1')).toThrow(
      'needs ports of --link-rate-bps',
    );
  });

  test('gives queues of single ports their room', () => {
    const { queueDepths } = flagsOf('--no-p4', '--queue-depth', '1=64', '--queue-depth', '2=1');
    expect(queueDepths).toEqual(
      new Map([
        [1, 64],
        [2, 1],
      ]),
    );
  });

  test('names the TLS files', () => {
    const { tls } = flagsOf(
      '--no-p4',
      '--',
      '--grpc-server-ssl',
      '--grpc-server-cert',
      'c',
      '--grpc-server-key',
      'k',
      '--grpc-server-cacert',
      'a',
      '--grpc-server-with-client-auth',
    );
    expect(tls).toEqual({
      authorityFile: 'a',
      certificateFile: 'c',
      keyFile: 'k',
      clientsNeedCertificate: true,
    });
  });

  test('warns of TLS files without TLS, and of a program that is not loaded', () => {
    expect(flagsOf('--no-p4', 'x.json', '--grpc-server-key', 'k').warnings).toEqual([
      'x.json is not loaded because of --no-p4',
      'without --grpc-server-ssl there is no use for --grpc-server-key',
    ]);
  });

  test('warns of every flag that it accepts without acting on it', () => {
    for (const { name, value, effect } of ALL_FLAGS) {
      if (effect !== 'ignored') continue;
      const { warnings } = flagsOf('--no-p4', `--${name}`, ...(value === 'required' ? ['1'] : []));
      expect(warnings).toEqual([expect.stringContaining(`--${name} has no effect`)]);
    }
  });

  test('refuses every flag whose effect would be missed, by name and with a reason', () => {
    for (const { name, effect, help } of ALL_FLAGS) {
      if (effect !== 'refused') continue;
      const message = `flag --${name} is not supported: ${help}`;
      expect(() => readSwitchFlags(['--no-p4', `--${name}`, 'x'])).toThrow(message);
    }
  });

  test('has no use for interfaces when a client carries packets', () => {
    const { interfaces, dataplaneAddress, warnings } = flagsOf(
      '--no-p4',
      '-i',
      '1@eth0',
      '--pcap',
      '--',
      '--dp-grpc-server-addr',
      '127.0.0.1:1',
    );
    expect([interfaces.size, dataplaneAddress]).toEqual([0, '127.0.0.1:1']);
    expect(warnings).toEqual([
      '-i has no effect with --dp-grpc-server-addr, which has every port',
      '--pcap captures what network interfaces carry, and there are none',
    ]);
  });

  test.each(['help', 'version', 'json-version'])('--%s wants an answer only', (kind) => {
    expect(readSwitchFlags([`--${kind}`, '--no-p4'])).toEqual({ kind });
  });

  test.each([
    [[], 'needs the path of a BMv2 JSON, or --no-p4'],
    [['a.json', 'b.json'], "also 'b.json'"],
    [['--no-p4', '-i', 'eth0'], "PORT@IFACE with a port up to 511, not 'eth0'"],
    [['--no-p4', '-i', '512@eth0'], "not '512@eth0'"],
    [['--no-p4', '-i', '1@a', '-i', '1@b'], '-i names port 1 twice'],
    [['--no-p4', '--device-id', 'x'], '--device-id takes a whole number up to 9007199254740991'],
    [['--no-p4', '--thrift-port', '65536'], '--thrift-port takes a whole number up to 65535'],
    [['--no-p4', '--cpu-port', '0'], '--cpu-port takes a port from 1 on'],
    [['--no-p4', '--cpu-port', '511'], '--cpu-port is the drop port 511'],
    [['--no-p4', '-i', '5@eth0', '--cpu-port', '5'], 'port 5 is the CPU port or the drop port'],
    [['--no-p4', '--log-level', 'loud'], "trace, debug, info, warn, error, off, and 'loud'"],
    [['--no-p4', '--link-rate-bps', '1'], "PORT=RATE, such as 1=10G, not '1'"],
    [['--no-p4', '--link-rate-bps', '1=0'], "not '1=0'"],
    [['--no-p4', '--queue-depth', '64'], "PORT=PACKETS, such as 1=64, not '64'"],
    [['--no-p4', '--queue-depth', '1=0'], "not '1=0'"],
    [['--no-p4', '--queue-depth', '1=1.5'], "not '1=1.5'"],
    [['--no-p4', '--queue-depth', '600=64'], "not '600=64'"],
    [['--no-p4', '--executor', 'jit'], "interpreter or generated, and 'jit'"],
    [['--no-p4', '--grpc-server-ssl'], '--grpc-server-ssl also needs --grpc-server-cert'],
    [['--no-p4', '--max-port-count', '1', '-i0@a', '-i1@b'], 'allows 1 interfaces, not 2'],
    [['--no-p4', '--use-files', '-1'], '--use-files takes a whole number up to 86400'],
    [['--no-p4', '--use-files', '1', '--dp-grpc-server-addr', 'x'], 'exclude each other'],
  ])('%j is refused: %s', (argv, message) => {
    expect(() => readSwitchFlags(argv)).toThrow(message);
  });

  test('is explained flag by flag', () => {
    const help = flagHelp();
    for (const { name } of ALL_FLAGS) expect(help).toContain(`--${name}`);
  });

  test('row 2: servers listen on the loopback, and one flag makes them listen everywhere, as on bmv2', () => {
    expect(flagsOf('--no-p4', '--listen-everywhere')).toMatchObject({
      grpcAddress: '0.0.0.0:9559',
      thriftAddress: '0.0.0.0',
    });
    expect(flagsOf('--no-p4', '--listen-everywhere', '--thrift-addr', '10.0.0.1')).toMatchObject({
      thriftAddress: '10.0.0.1',
    });
  });

  test('row 2: Thrift is off when clients must authenticate, and refused by name', () => {
    const tls = ['--no-p4', '--', '--grpc-server-ssl', '--grpc-server-with-client-auth'];
    const files = [
      '--grpc-server-cert',
      'a',
      '--grpc-server-key',
      'b',
      '--grpc-server-cacert',
      'c',
    ];
    expect(flagsOf(...tls, ...files).thriftPort).toBeUndefined();
    expect(() => flagsOf(...tls, ...files, '--thrift-port', '9090')).toThrow(
      '--thrift-port excludes --grpc-server-with-client-auth',
    );
  });

  test('row 17: one interface is not two ports', () => {
    expect(() => flagsOf('--no-p4', '-i', '1@veth0', '-i', '2@veth0')).toThrow(
      '-i names veth0 for the ports 1 and 2',
    );
  });

  test('limits are set by name, within their bounds', () => {
    const flags = flagsOf('--no-p4', '--limit', 'controllers=3', '--limit', 'roles=5');
    expect([...flags.limits]).toEqual([
      ['controllers', 3],
      ['roles', 5],
    ]);
    expect(() => flagsOf('--no-p4', '--limit', 'controller=3')).toThrow('a name of docs/limits.md');
    expect(() => flagsOf('--no-p4', '--limit', 'controllers=0')).toThrow(
      '--limit controllers takes a whole number from 1 to 2147483647',
    );
  });
});
