/** The commands in the order of the help text, and what each is for. It is all that `hpcc --help` needs of them. */
export const SUMMARIES = {
  demo: 'a 16-to-1 incast at 100 Gb/s, without and with HPCC++',
  run: 'run a scenario in virtual time',
  compare: 'run a scenario with several kinds of feedback, algorithms or coordination',
  replay: 'check the algorithm against recorded acknowledgements',
  agent: 'run a host on a network interface',
  algorithm: 'list congestion controls, and check one of your own',
  bench: 'measure speed and memory',
  controller: 'bring switches to what a document says, and keep them there',
  decode: 'print the telemetry of a capture or an interface, as tables, JSON lines or CSV',
  int: 'make frames with telemetry, and take them apart',
  flows: 'write flows as files of the HPCC simulator',
  group: 'run many switches and hosts in one process',
  mininet: 'run an experiment between real hosts and switches under Mininet',
  'network-backend': 'be the network of another simulator, such as astra-sim',
  schema: 'print the JSON Schema of a document, for editors',
  send: 'send flows to a running hpcc agent and measure them',
  study: 'run a grid of scenarios, on this machine or on many',
  switch: 'run a P4 program on network interfaces, in place of simple_switch_grpc',
  stf: 'run a packet test in the STF format',
  view: 'see what happened in a network, in a browser',
  plot: 'write a chart of a run as a picture for a paper, or its data',
  export: 'write a run in a format of other programs',
  why: 'say why a flow of a run was slow',
  test: 'lint, check formatting, and run all tests',
  docs: 'read the documentation in a browser, with search and live runs',
  emit: 'print the JavaScript that is generated for a P4 program',
  p4: 'compile and check the P4 programs',
  proto: 'generate TypeScript from the P4Runtime protocol files',
} as const satisfies Readonly<Record<string, string>>;

export type CommandName = keyof typeof SUMMARIES;

export const COMMAND_NAMES = Object.keys(SUMMARIES) as readonly CommandName[];

/** The command that a command line is about; `none` where it names none, as `hpcc --help`. */
export const namedCommand = (words: readonly string[]): CommandName | 'none' =>
  words.flatMap((word) => COMMAND_NAMES.find((name) => name === word) ?? [])[0] ?? 'none';
