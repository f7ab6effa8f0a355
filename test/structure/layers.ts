/**
 * The order of the house. A file may import from its own folder and from folders that stand before it
 * here, never from one that stands behind. Every folder with product sources has its place.
 */
export const FOLDERS: readonly string[] = [
  // common
  'common',
  'common/document',
  'common/io/net',
  'common/p4runtime',
  'common/random',
  'common/statistics',
  'common/units',
  'common/io',
  'common/p4runtime/io',
  'common/packet',
  'common/thrift/io',
  'common/topology',
  'common/wire',
  'common/telemetry',
  'common/telemetry/decode',
  // switch
  'switch/control',
  'switch/io/live',
  'switch/io/flags',
  'switch',
  'switch/io/dataplane',
  'switch/runtime',
  'switch/tables',
  'switch/ir',
  'switch/state',
  'switch/codegen/runtime',
  'switch/server',
  'switch/server/thrift',
  'switch/interpreter',
  'switch/v1model',
  'switch/codegen',
  'switch/io',
  'switch/stf',
  'switch/io/bmv2',
  // host-agent
  'host-agent/algorithm',
  'host-agent/feedback',
  'host-agent/coordination',
  'host-agent/io/net',
  'host-agent/replay',
  'host-agent/tcp',
  'host-agent/nic',
  'host-agent/path',
  'host-agent/transport',
  'host-agent/traffic',
  'host-agent/roce',
  'host-agent/io/roce',
  'host-agent/io/live',
  'host-agent/io',
  'host-agent/io/tcp',
  // controller
  'controller/entities',
  'controller/gnmi',
  'controller/document',
  'controller/intent',
  'controller/p4runtime',
  'controller/shell',
  'controller/io/gnmi',
  'controller/plan',
  'controller/io',
  'controller/io/watch',
  // emulator
  'emulator/kernel',
  'emulator/scenario',
  'emulator/workload',
  'emulator/node',
  'emulator/report',
  'emulator/record',
  'emulator/network',
  'emulator/io',
  'emulator/coordination',
  // mininet
  'mininet/planning',
  'mininet/io',
  // bench
  'bench/live',
  'bench',
  // cli
  'cli/shared',
  'cli/commands',
  'cli/controller',
  'cli',
  'cli/controller/gnmi',
];

/** Tests may import all of them; the product imports no test. */
export const TESTS = 'test';

/** Only these touch clocks, sockets, files and processes, and only these and tests import them. */
export const EDGE = /(^|\/)(io|server|p4runtime)(\/|$)|^(cli|bench)(\/|$)/;

/** Imports against the order that are still to be turned round: this list only shrinks. */
export const AGAINST_THE_ORDER: readonly string[] = [
  'bench/live -> bench',
  'cli/controller -> cli/controller/gnmi',
  'common/wire -> common/telemetry',
  'controller/document -> controller/plan',
  'emulator/network -> emulator/coordination',
  'emulator/node -> emulator/network',
  'emulator/record -> emulator/network',
  'emulator/record -> emulator/coordination',
  'emulator/report -> emulator/record',
  'emulator/report -> emulator/coordination',
  'emulator/scenario -> emulator/workload',
  'host-agent/io/live -> host-agent/io',
  'host-agent/io/roce -> host-agent/io',
  'host-agent/nic -> host-agent/transport',
  'host-agent/path -> host-agent/transport',
  'switch/control -> switch/tables',
  'switch -> switch/ir',
  'switch -> switch/state',
  'switch/io/dataplane -> switch/server',
  'switch/io/live -> switch/v1model',
  'switch/runtime -> switch/tables',
];
