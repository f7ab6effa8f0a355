/** Value of a flag. `optional`: the next argument, unless that is a flag. */
export type FlagValue = 'none' | 'required' | 'optional';

/** Effect of a flag of simple_switch_grpc on this switch. */
export type FlagEffect =
  | 'acts'
  /** Accepted for the sake of scripts, without any effect; a warning says so. */
  | 'ignored'
  /** The user needs its effect, so the switch does not start. */
  | 'refused';

export interface Flag {
  readonly name: string;
  readonly letter?: string;
  readonly value: FlagValue;
  readonly effect: FlagEffect;
  readonly help: string;
}

const flag =
  (effect: FlagEffect) =>
  (name: string, value: FlagValue, help: string): Flag => ({ name, value, effect, help });

const [acts, ignored, refused] = [flag('acts'), flag('ignored'), flag('refused')];

/** Flags that bmv2 takes before the separator `--`. */
export const GENERIC_FLAGS: readonly Flag[] = [
  { ...acts('help', 'none', 'print this text'), letter: 'h' },
  {
    ...acts('interface', 'required', 'PORT@IFACE: attach a network interface; may be repeated'),
    letter: 'i',
  },
  acts(
    'pcap',
    'optional',
    'write IFACE_in.pcap and IFACE_out.pcap to a folder (default: this one)',
  ),
  acts('thrift-port', 'required', 'TCP port of the Thrift services (9090)'),
  acts('device-id', 'required', 'device id in P4Runtime (0)'),
  acts('log-console', 'none', 'log to standard output'),
  acts('log-file', 'required', 'log to FILE.txt'),
  { ...acts('log-level', 'required', 'trace, debug, info, warn, error or off'), letter: 'L' },
  acts('log-flush', 'none', 'write each line at once, which is always done'),
  { ...acts('version', 'none', 'print the version'), letter: 'v' },
  acts('json-version', 'none', 'print the newest BMv2 JSON version that is understood'),
  acts('no-p4', 'none', 'start without a program; P4Runtime will bring it'),
  acts('max-port-count', 'required', 'interfaces at most (512)'),
  acts('use-files', 'required', 'after N seconds, ports are files: IFACE_in.pcap, IFACE_out.pcap'),
  ignored('log-file-max-size', 'required', 'the log is one file'),
  ignored('log-file-max-files', 'required', 'the log is one file'),
  ignored('dump-packet-data', 'required', '--pcap writes whole packets, without the log'),
  ignored('nanolog', 'required', 'there is no nanomsg; see --log-console and --log-file'),
  ignored('notifications-addr', 'required', 'digests and idle times go to P4Runtime alone'),
  ignored('debugger', 'none', 'there is no debugger; ./hpcc emit shows what a program does'),
  ignored('debugger-addr', 'required', 'there is no debugger; see --debugger'),
  refused('packet-in', 'required', 'there is no nanomsg; --dp-grpc-server-addr takes packets'),
  refused('restore-state', 'required', 'the form of saved state is private to bmv2'),
];

/** Flags that simple_switch_grpc takes behind the separator. */
export const TARGET_FLAGS: readonly Flag[] = [
  acts('drop-port', 'required', 'egress port that means "drop" (511)'),
  acts('cpu-port', 'required', 'port of packet-in and packet-out'),
  acts('priority-queues', 'required', 'queues per port (1)'),
  acts('grpc-server-addr', 'required', 'where P4Runtime listens (127.0.0.1:9559)'),
  acts('grpc-server-ssl', 'none', 'P4Runtime over TLS'),
  acts('grpc-server-cacert', 'required', 'PEM file: authority of client certificates'),
  acts('grpc-server-cert', 'required', 'PEM file: the certificate of the server'),
  acts('grpc-server-key', 'required', 'PEM file: the key of the server'),
  acts('grpc-server-with-client-auth', 'none', 'clients must show a certificate'),
  ignored('enable-swap', 'none', 'programs can always be replaced'),
  ignored('disable-swap', 'none', 'programs can always be replaced'),
  ignored('max-mc-groups', 'required', 'tables of multicast groups grow as needed'),
  ignored('max-l1-entries', 'required', 'tables of multicast nodes grow as needed'),
  ignored('max-l2-entries', 'required', 'tables of multicast nodes grow as needed'),
  acts('dp-grpc-server-addr', 'required', 'packets come over gRPC at this address; no interfaces'),
  refused('load-modules', 'required', 'externs in C++ libraries need the C++ of bmv2'),
];

/** Flags that bmv2 does not have. */
export const OWN_FLAGS: readonly Flag[] = [
  acts('link-rate-bps', 'required', 'PORT=RATE: a link of so many bits per second; repeatable'),
  acts('queue-depth', 'required', 'PORT=PACKETS: room in each queue of the port; repeatable'),
  acts('queue-weight', 'required', 'QUEUE=WEIGHT at ports of --link-rate-bps (DWRR); repeatable'),
  acts('buffer-bytes', 'required', 'memory that all ports of --link-rate-bps share'),
  acts('buffer-alpha', 'required', 'a group may hold so many times the free shared bytes (1)'),
  acts('buffer-reserved-bytes', 'required', 'bytes reserved for each port and priority (0)'),
  acts('pfc-priorities', 'required', 'queues that pause their senders and lose nothing, as 0,1'),
  acts('pfc-headroom-bytes', 'required', 'room behind a pause (5 ms of the link, three frames)'),
  acts('pfc-resume-offset-bytes', 'required', 'so far below its threshold a pause ends (3036)'),
  acts('pfc-quanta', 'required', 'how long a pause lasts, in times of 512 bits (65535)'),
  acts(
    'pfc-watchdog-ms',
    'required',
    'pauses that let nothing go for so long are a storm; 0: none',
  ),
  acts('pfc-restore-ms', 'required', 'a storm ends so long after its last pause (200)'),
  acts('pfc-storm-action', 'required', 'what a storm does to its queue: drop (default) or forward'),
  acts('clock-unit-ns', 'required', 'one tick of timestamps in metadata, in ns (1000)'),
  acts('queue-unit-bytes', 'required', 'queue depths in cells of so many bytes (packets)'),
  acts('compatible', 'required', "bmv2: follow bmv2's rules where P4Runtime's are others"),
  acts('metrics', 'required', 'serve metrics at HOST:PORT, or PORT of loopback'),
  acts('thrift-addr', 'required', 'address where Thrift listens (127.0.0.1)'),
  acts('listen-everywhere', 'none', "servers listen at every address, as bmv2's do"),
  acts('limit', 'required', 'NAME=VALUE: a limit of the servers, see docs/limits.md; repeatable'),
  acts('executor', 'required', 'how the program runs: interpreter or generated'),
];

export const ALL_FLAGS: readonly Flag[] = [...GENERIC_FLAGS, ...TARGET_FLAGS, ...OWN_FLAGS];
