/**
 * Suites that have the machine to themselves: beside others they would fail or make those fail. A test
 * of the structure holds that no other suite starts what these start.
 */
module.exports = [
  // bmv2 takes port numbers that were free a moment before, and measures its queues in real time.
  'bmv2/',
  'conformance/foreign-clients.test',
  'conformance/p4runtime-bmv2.test',
  'p4/primitives.test',
  'p4/profiles-on-bmv2.test',
  'p4/stf.test',
  'programs/random-programs.test',
  'unit/controller/io/bmv2.test',
  'unit/controller/p4runtime/live.test',
  'unit/controller/p4runtime/session/live-session.test',
  'unit/switch/io/dataplane/dataplane-server.test',
  'unit/switch/io/flags/documented-flags.test',
  'unit/switch/server/thrift/command-line.test',
  // A browser, and how long a frame takes.
  'browser/',
  // Interfaces, namespaces and real time.
  'mininet/',
  'peers/',
  'unit/cli/command-line.test',
  'unit/cli/group/',
  'unit/cli/controller/processes.test',
  'unit/common/io/net/link-table.test',
  'unit/host-agent/io/live/',
  'unit/host-agent/io/net/',
  'unit/host-agent/io/process/',
  'unit/host-agent/io/tcp/',
  'unit/switch/io/live/',
  'unit/switch/io/run-switch.test',
  'unit/switch/io/start-switch.test',
  'unit/switch/io/watched-links.test',
];
