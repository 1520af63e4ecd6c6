package org.braid.hdfs.namenode.deferral;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import javax.servlet.ServletOutputStream;
import javax.servlet.WriteListener;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpServletResponseWrapper;

/**
 * An answer of WebHDFS that names a DataNode, in its header or, for clients that want no redirect,
 * in its body. Replaces some DataNodes by others. The rest of the address is the same for all nodes
 * that have the block. {@link #finish} sends the body, which is short.
 */
final class RedirectedAnswer extends HttpServletResponseWrapper {
  private static final String LOCATION = "Location";
  private static final String LENGTH = "Content-Length";
  private static final String NAMING = "{\"" + LOCATION + "\":\"";
  private static final String SCHEME_END = "://";

  private final Map<String, String> instead;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();

  /**
   * Wraps an answer.
   *
   * @param instead the replacement of each host and port
   */
  RedirectedAnswer(HttpServletResponse answer, Map<String, String> instead) {
    super(answer);
    this.instead = instead;
  }

  /** Replaces the host and port in an address, if there is a replacement. */
  static String address(String given, Map<String, String> instead) {
    int end = given.indexOf(SCHEME_END);
    if (end < 0) {
      return given;
    }
    int host = end + SCHEME_END.length();
    for (Map.Entry<String, String> entry : instead.entrySet()) {
      if (given.startsWith(entry.getKey() + "/", host)) {
        return given.substring(0, host)
            + entry.getValue()
            + given.substring(host + entry.getKey().length());
      }
    }
    return given;
  }

  /**
   * Replaces the host and port in a body that begins with an address; other bodies stay unchanged.
   */
  static String body(String given, Map<String, String> instead) {
    return given.startsWith(NAMING) ? address(given, instead) : given;
  }

  /** Sends the body; nothing may be written to it any more. */
  void finish() throws IOException {
    if (body.size() > 0) {
      byte[] sent =
          body(body.toString(StandardCharsets.UTF_8), instead).getBytes(StandardCharsets.UTF_8);
      super.setContentLength(sent.length);
      super.getOutputStream().write(sent);
    }
  }

  @Override
  public ServletOutputStream getOutputStream() {
    return new Body();
  }

  private final class Body extends ServletOutputStream {
    @Override
    public void write(int b) {
      body.write(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      body.write(bytes, offset, length);
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {
      throw new IllegalStateException("the answer is written at once");
    }
  }

  @Override
  public void setHeader(String name, String value) {
    if (!name.equalsIgnoreCase(LENGTH)) {
      super.setHeader(name, header(name, value));
    }
  }

  @Override
  public void addHeader(String name, String value) {
    if (!name.equalsIgnoreCase(LENGTH)) {
      super.addHeader(name, header(name, value));
    }
  }

  private String header(String name, String value) {
    return name.equalsIgnoreCase(LOCATION) ? address(value, instead) : value;
  }

  @Override
  public void setContentLength(int length) {
    // It is known at the end.
  }

  @Override
  public void setContentLengthLong(long length) {
    // It is known at the end.
  }

  @Override
  public void flushBuffer() {
    // Headers go with the body.
  }

  @Override
  public void resetBuffer() {
    super.resetBuffer();
    body.reset();
  }

  @Override
  public void reset() {
    super.reset();
    body.reset();
  }
}
