import { createInterpreter } from '../../switch/interpreter/interpreter';
import { describeExecutor } from './switch';

describeExecutor('interpreter', createInterpreter);
