/**
 * Suites that start processes on interfaces. They have a lane of their own, whose processes go before those of all
 * others (lanes-runner.cjs). A test of the structure holds that no other suite starts what these start.
 */
module.exports = {
  /** Two at a time: they wait for processes most of the time, and nothing in them is a matter of a moment. */
  inPairs: [
    'bmv2/judge.test',
    'browser/causes.test',
    'browser/charts.test',
    'browser/large-networks.test',
    'browser/pictures.test',
    'browser/playground.test',
    'browser/ranks.test',
    'browser/screens.test',
    // In namespaces of their own; how busy the machine was is a matter of --check.
    'mininet/',
    'peers/',
    'unit/cli/command-line.test',
    'unit/cli/group/',
    'unit/cli/int/judge-interfaces.test',
    'unit/cli/controller/processes.test',
    'unit/controller/io/watch/',
    'unit/common/io/loop/link-events.test',
    'unit/common/io/loop/wait-set.test',
    'unit/common/io/net/link-table.test',
    'unit/common/io/net/packet-ring.test',
    'unit/common/io/net/route-table.test',
    'unit/host-agent/io/live/',
    'unit/host-agent/io/net/',
    'unit/host-agent/io/process/',
    'unit/host-agent/io/tcp/classes-of-connections.test',
    'unit/host-agent/io/tcp/tcp-metrics.test',
    'unit/host-agent/io/tcp/window-rewriter.test',
    'unit/switch/io/live/arrivals.test',
    'unit/switch/io/live/file-port.test',
    'unit/switch/io/live/live-',
    'unit/switch/io/live/pcap-file.test',
    'unit/switch/io/live/port-',
    'unit/switch/io/run-switch.test',
    'unit/switch/io/start-switch.test',
    'unit/switch/io/watched-links.test',
  ],
  /** All others of these, one after the other, when no more pairs are left. */
  alone: [
    // bmv2 measures its queues in real time.
    'bmv2/',
    // A browser, and how long a frame takes.
    'browser/',
    // Segments pass while its agents begin and end.
    'unit/host-agent/io/tcp/run-tcp-agent.test',
    // Its hosts must be faster than a port.
    'unit/switch/io/live/lossless-ports.test',
  ],
};
