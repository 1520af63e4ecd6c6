package org.braid.codec.bench;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.braid.codec.Program;
import org.braid.kernel.Kernel;
import org.braid.kernel.RawIsal;
import org.braid.kernel.Transform;

/** The contenders that need nothing but this module. */
public final class Contenders {
  private Contenders() {}

  /** Braid as it works, with one of its kernels. */
  public static Contender braid(String name, Kernel kernel) {
    return contender(name, task -> Optional.of(braid(task, kernel)));
  }

  /** ISA-L called with one prepared matrix, without anything of Braid around it. */
  public static Contender rawIsal(String name) {
    return contender(
        name,
        task ->
            RawIsal.prepare(task.matrix(), task.inputs(), task.outputs(), task.length())
                .map(raw -> (Runnable) raw));
  }

  private static Runnable braid(Task task, Kernel kernel) {
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

  private static Runnable run(Program program, ByteBuffer[] buffers, Task task) {
    return () -> program.run(buffers, task.length());
  }

  private interface Preparation {
    Optional<Runnable> of(Task task);
  }

  private static Contender contender(String name, Preparation preparation) {
    return new Contender() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Optional<Work> prepare(Task task) {
        return preparation.of(task).map(runnable -> new InPlace(runnable, task.outputs()));
      }
    };
  }

  /** Work that leaves its results in the task's buffers. */
  private static final class InPlace implements Contender.Work {
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
