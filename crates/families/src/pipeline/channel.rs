//! Channels that others wrote: their ends are alike in all but their types.

/// Makes the strategy of a channel. A macro, as no trait stands above the ends of channels of different crates.
macro_rules! strategy_of_channel {
    ($strategy:ident, $open:ident, $sender:ident::$send:ident, $receiver:ident::$receive:ident) => {
        struct $strategy;

        impl crate::pipeline::strategy::Strategy for $strategy {
            type Put<T: Send + 'static> = $sender<T>;
            type Take<T: Send + 'static> = $receiver<T>;

            fn open<T: Send + 'static>(
                bounds: &crate::pipeline::strategy::Bounds,
            ) -> std::io::Result<crate::pipeline::strategy::Ends<Self::Put<T>, Self::Take<T>>> {
                let (put, take) = $open(bounds.depth);
                Ok(crate::pipeline::strategy::Ends { puts: vec![put; bounds.senders], take })
            }
        }

        impl<T: Send + 'static> crate::pipeline::strategy::Put<T> for $sender<T> {
            fn put(&mut self, message: T) -> std::io::Result<()> {
                self.$send(message).map_err(|_| crate::pipeline::strategy::hung_up())
            }
        }

        impl<T: Send + 'static> crate::pipeline::strategy::Take<T> for $receiver<T> {
            fn take(&mut self) -> std::io::Result<T> {
                // Most answer with a result, one with an option.
                self.$receive().into_iter().next().ok_or_else(crate::pipeline::strategy::hung_up)
            }
        }
    };
}

pub(super) use strategy_of_channel;
