// Jest's environment, whose global object is an ordinary one. That of vm.createContext() is asked through
// an interceptor, and jest's through a proxy on top, each time that a global is used: generated code, which
// uses Math all over, took nine times as long as in the product, and whole networks twice.
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

const { createContext } = vm;
/** Node 20.18 has it; before, tests are only slower. */
const PLAIN = vm.constants?.DONT_CONTEXTIFY;

module.exports = class PlainGlobalEnvironment extends TestEnvironment {
  constructor(...args) {
    if (PLAIN !== undefined) vm.createContext = () => createContext(PLAIN);
    try {
      super(...args);
    } finally {
      vm.createContext = createContext;
    }
  }
};
