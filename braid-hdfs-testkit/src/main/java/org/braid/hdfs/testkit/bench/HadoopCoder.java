package org.braid.hdfs.testkit.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.XORRawDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.XORRawEncoder;
import org.braid.code.ErasureCode;
import org.jspecify.annotations.Nullable;

/**
 * Hadoop's plain Java coders for Reed-Solomon and for one XOR parity. They work on arrays, which
 * they require and where they are fastest.
 */
public final class HadoopCoder implements BenchCoder {
  @Override
  public String name() {
    return "hadoop";
  }

  @Override
  public Optional<Work> prepare(BenchTask task) {
    ErasureCode code = task.code().orElse(null);
    if (code == null || code.alpha() != 1) {
      return Optional.empty();
    }
    boolean xor = code.name().equals("xor-" + code.k() + "-1");
    if (!xor && !code.name().equals("rs-" + code.k() + "-" + code.m())) {
      return Optional.empty();
    }
    ErasureCoderOptions options = new ErasureCoderOptions(code.k(), code.m());
    return Optional.of(
        switch (task.kind()) {
          case ENCODE -> encode(task, xor ? new XORRawEncoder(options) : new RSRawEncoder(options));
          case DECODE -> decode(task, xor ? new XORRawDecoder(options) : new RSRawDecoder(options));
          case HOP -> throw new IllegalStateException("a hop has no code");
        });
  }

  private static Work encode(BenchTask task, RawErasureEncoder encoder) {
    byte[][] data = arrays(task.inputs(), task.length());
    byte[][] parity = new byte[task.outputs().length][task.length()];
    return new OnArrays(parity, () -> encoder.encode(data, parity));
  }

  private static Work decode(BenchTask task, RawErasureDecoder decoder) {
    byte[] @Nullable [] blocks = arrays(task.buffers(), task.length());
    int[] lost = task.lost().stream().mapToInt(b -> b).toArray();
    for (int block : lost) {
      blocks[block] = null;
    }
    byte[][] rebuilt = new byte[lost.length][task.length()];
    return new OnArrays(rebuilt, () -> decoder.decode(blocks, lost, rebuilt));
  }

  private static byte[][] arrays(ByteBuffer[] buffers, int length) {
    byte[][] arrays = new byte[buffers.length][length];
    for (int i = 0; i < arrays.length; i++) {
      buffers[i].get(0, arrays[i]);
    }
    return arrays;
  }

  private interface Step {
    void run() throws IOException;
  }

  private static final class OnArrays implements Work {
    private final byte[][] outputs;
    private final Step step;

    OnArrays(byte[][] outputs, Step step) {
      this.outputs = outputs;
      this.step = step;
    }

    @Override
    public void run() {
      try {
        step.run();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public ByteBuffer output(int number) {
      return ByteBuffer.wrap(outputs[number]);
    }
  }
}
