package org.braid.hdfs.dispatch;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.braid.hdfs.proto.BraidProtos.FilesRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripesRequestProto;
import org.braid.hdfs.rpc.BraidNameNodePB;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.time.Ticker;

/** A NameNode of another version. */
public final class OldNameNode {
  /** A field that no release knows. */
  public static final UnknownFieldSet LATER =
      UnknownFieldSet.newBuilder()
          .addField(5000, UnknownFieldSet.Field.newBuilder().addVarint(7).build())
          .build();

  /** Fields from this number on were added to messages later. */
  private static final int ADDED = 20;

  private OldNameNode() {}

  /**
   * A link to the NameNodes of a file system that seem to be of an earlier version, which does not
   * see that it may judge what it lists.
   */
  public static NameNodeLink link(URI uri, Configuration conf) throws IOException {
    return link(uri, conf, OldNameNode::asked, answer -> answer);
  }

  /**
   * A link to NameNodes whose answers have nothing that was added later, and a field that nobody
   * knows.
   */
  public static NameNodeLink answering(URI uri, Configuration conf) throws IOException {
    return link(
        uri,
        conf,
        OldNameNode::asked,
        answer -> earlier(answer).toBuilder().setUnknownFields(LATER).build());
  }

  private static NameNodeLink link(
      URI uri, Configuration conf, UnaryOperator<Object> asked, UnaryOperator<Message> answered)
      throws IOException {
    return new NameNodeLink(
        uri,
        conf,
        (clientConf, address) -> other(Rpc.nameNode(clientConf, address), asked, answered),
        Ticker.SYSTEM);
  }

  private static Object asked(Object argument) {
    if (argument instanceof FilesRequestProto request) {
      return request.toBuilder().clearBriefly().build();
    }
    if (argument instanceof StripesRequestProto request) {
      return request.toBuilder().clearSummed().clearBefore().clearUnsoundOn().build();
    }
    return argument;
  }

  private static Message earlier(Message message) {
    Message.Builder made = message.toBuilder();
    for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
      FieldDescriptor field = entry.getKey();
      if (field.getNumber() >= ADDED && !field.isRequired()) {
        made.clearField(field);
      } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
        made.setField(
            field,
            entry.getValue() instanceof List<?> several
                ? several.stream().map(one -> earlier((Message) one)).toList()
                : earlier((Message) entry.getValue()));
      }
    }
    return made.build();
  }

  private static BraidNameNodePB other(
      BraidNameNodePB stub, UnaryOperator<Object> asked, UnaryOperator<Message> answered) {
    return (BraidNameNodePB)
        Proxy.newProxyInstance(
            OldNameNode.class.getClassLoader(),
            new Class<?>[] {BraidNameNodePB.class, Closeable.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                Rpc.stop(stub);
                return null;
              }
              for (int i = 0; arguments != null && i < arguments.length; i++) {
                arguments[i] = asked.apply(arguments[i]);
              }
              try {
                Object answer = method.invoke(stub, arguments);
                return answer instanceof Message message ? answered.apply(message) : answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
