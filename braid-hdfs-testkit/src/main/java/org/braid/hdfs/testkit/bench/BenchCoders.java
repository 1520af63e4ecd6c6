package org.braid.hdfs.testkit.bench;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Function;
import org.braid.codec.Program;
import org.braid.kernel.Kernel;
import org.braid.kernel.Transform;

/** Braid's coders and ISA-L without Braid. */
public final class BenchCoders {
  private BenchCoders() {}

  /** Braid's own coder with one of its kernels. */
  public static BenchCoder braid(String name, Kernel kernel) {
    return coder(name, task -> braid(task, kernel));
  }

  /** ISA-L called directly with one prepared matrix; it must be installed. */
  public static BenchCoder rawIsal(String name) {
    return coder(
        name, task -> new RawIsal(task.matrix(), task.inputs(), task.outputs(), task.length()));
  }

  private static Runnable braid(BenchTask task, Kernel kernel) {
    ByteBuffer[] buffers = task.buffers();
    return switch (task.kind()) {
      case ENCODE -> run(Program.encoder(task.code().orElseThrow(), kernel), buffers, task);
      case DECODE ->
          run(
              Program.decoder(task.code().orElseThrow(), kernel, task.lost(), task.left()),
              buffers,
              task);
      case HOP -> {
        Transform transform = kernel.transform(task.matrix());
        ByteBuffer[] inputs = task.inputs();
        ByteBuffer[] outputs = task.outputs();
        yield () -> transform.apply(inputs, outputs, task.length());
      }
    };
  }

  private static Runnable run(Program program, ByteBuffer[] buffers, BenchTask task) {
    return () -> program.run(buffers, task.length());
  }

  private static BenchCoder coder(String name, Function<BenchTask, Runnable> preparation) {
    return new BenchCoder() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Optional<Work> prepare(BenchTask task) {
        return Optional.of(new InPlace(preparation.apply(task), task.outputs()));
      }
    };
  }

  /** Work that writes its results to the task's buffers. */
  private static final class InPlace implements BenchCoder.Work {
    private final Runnable runnable;
    private final ByteBuffer[] outputs;

    InPlace(Runnable runnable, ByteBuffer[] outputs) {
      this.runnable = runnable;
      this.outputs = outputs;
    }

    @Override
    public void run() {
      runnable.run();
    }

    @Override
    public ByteBuffer output(int number) {
      return outputs[number];
    }
  }
}
