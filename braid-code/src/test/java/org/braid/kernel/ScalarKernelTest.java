package org.braid.kernel;

final class ScalarKernelTest extends KernelContract {
  @Override
  Kernel kernel() {
    return Kernels.scalar();
  }
}
