/**
 * Suites that have the machine to themselves: beside others they would fail or make those fail. A test
 * of the structure holds that no other suite starts what these start.
 */
module.exports = [
  // bmv2 measures its queues in real time.
  'bmv2/',
  // A browser, and how long a frame takes.
  'browser/',
  // Interfaces, namespaces and real time.
  'mininet/',
  'peers/',
  'unit/cli/command-line.test',
  'unit/cli/group/',
  'unit/cli/controller/processes.test',
  'unit/common/io/loop/wait-set.test',
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
