/**
 * Functions without counterpart in a browser, each refused when it is used and not before: the playground's bundle
 * takes this module for processes, threads, gNMI's and Thrift's sockets, and files of Tofino and of traces.
 */
const refuse = (): never => {
  throw new Error('this needs Node: run it with hpcc');
};

/** Says where generated text that does not compile is kept. */
export const keepText = (): string => 'no file: there are none here';

export {
  refuse as loadTofinoPipeline,
  refuse as ThriftSwitch,
  refuse as availableParallelism,
  refuse as createRequire,
  refuse as execFileSync,
  refuse as pathToFileURL,
  refuse as readTraceFiles,
  refuse as runInParts,
  refuse as tmpdir,
  refuse as workersFor,
};
