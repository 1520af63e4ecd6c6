package org.braid.hdfs.datanode.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.CellsProto;
import org.braid.hdfs.proto.BraidProtos.CombineOpProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.OpProto;
import org.braid.hdfs.proto.BraidProtos.ReadOpProto;
import org.braid.hdfs.proto.BraidProtos.SubBlockProto;
import org.junit.jupiter.api.Test;

/** A user's fragment ends, and takes no more memory than its buffers. */
final class FragmentSizeTest {
  private static OpProto.Builder read(int value, int block, int index) {
    return OpProto.newBuilder()
        .setRead(
            ReadOpProto.newBuilder()
                .setValue(value)
                .setSource(SubBlockProto.newBuilder().setBlock(block).setIndex(index))
                .setBlock(BlockProto.newBuilder().setId(1).setGeneration(1).setLength(1))
                .setOffset(0));
  }

  private static OpProto combine(int outputs, int inputs) {
    return OpProto.newBuilder()
        .setCombine(
            CombineOpProto.newBuilder()
                .addAllOutputs(IntStream.range(1, 1 + outputs).boxed().toList())
                .addAllInputs(IntStream.range(0, inputs).boxed().toList())
                .setCoefficients(ByteString.copyFrom(new byte[outputs * inputs])))
        .build();
  }

  private static ExecuteRequestProto.Builder reading() {
    return ExecuteRequestProto.newBuilder()
        .setRun("run")
        .setNode(0)
        .setLength(1 << 20)
        .setSlice(1 << 16)
        .addOps(read(0, 0, 0));
  }

  private static void assertRefused(String what, UnaryOperator<ExecuteRequestProto.Builder> more) {
    ExecuteRequestProto request = more.apply(reading()).build();
    AccessControlException e =
        assertThrows(AccessControlException.class, () -> FragmentSize.check("eve", request));
    assertEquals(
        "eve is no superuser: may not run a fragment of " + what + " are allowed", e.getMessage());
  }

  private static CellsProto.Builder cells(int cell) {
    return CellsProto.newBuilder().setAlpha(256).setCell(cell).setUnit(1L << 30);
  }

  @Test
  void readersHaveWhatTheyNeed() throws Exception {
    FragmentSize.check("eve", reading().build());
    FragmentSize.check("eve", reading().setLength(Integer.MAX_VALUE).build());
    // All sub-blocks of a block, of which 256 others are made.
    ExecuteRequestProto.Builder wide = reading().clearOps().setCells(cells(512));
    for (int i = 0; i < 256; i++) {
      wide.addOps(read(1000 + i, 3, i));
    }
    FragmentSize.check("eve", wide.addOps(combine(256, 1024)).build());
  }

  @Test
  void whatWouldHardlyEndIsRefused() {
    assertRefused(
        "9223372036854775807 bytes a value, at most 2147483647",
        request -> request.setLength(Long.MAX_VALUE));
    assertRefused(
        "2147483647 pieces a value, at most 1048576",
        request -> request.setLength(Integer.MAX_VALUE).setSlice(1));
    assertRefused(
        "1073741824 pieces a value, at most 1048576",
        request -> request.setLength(1 << 30).setCells(cells(1)));
    assertRefused(
        "70437463654400 bytes to compute, at most 8796093022208",
        request -> request.setLength(1 << 30).addOps(combine(256, 255)).addOps(combine(63, 0)));
  }

  @Test
  void whatTakesMemoryBesideItsBuffersIsRefused() {
    assertRefused("16385 values, at most 16384", request -> request.addOps(combine(16_384, 0)));
    assertRefused(
        "1050624 coefficients, at most 1048576", request -> request.addOps(combine(1026, 1024)));
    assertRefused(
        "17 replicas to read, at most 16",
        request -> {
          IntStream.range(1, 17).forEach(i -> request.addOps(read(i, 0, i)));
          return request;
        });
    assertRefused(
        "20001 operations, at most 16384",
        request -> {
          IntStream.range(0, 20_000).forEach(i -> request.addOps(combine(1, 0)));
          return request;
        });
  }
}
