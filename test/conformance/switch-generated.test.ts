import { generatedExecutors } from '../../switch/codegen/generated-executor';
import { describeExecutor } from './switch';

describeExecutor('generated code', generatedExecutors());
